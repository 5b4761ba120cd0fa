"""Which functions of the C library compute with what they are given and ask the machine for nothing.

Of what a unit calls and does not define, veer's own C library has models of most (`runtime/libc`). The rest runs as it
is, and what it answers may be the machine's: its users, its files, its network, its moment. A claim names all of those
that are not known here to ask for nothing: the list says what is harmless, never what is not.
"""

from __future__ import annotations

import re

from veer.frontends.c.symbols import in_system_library, is_mathematical

# fmt: off
_NAMES = frozenset((
    "_Exit", "_exit", "a64l", "abort", "alarm", "alphasort", "asctime", "asctime_r", "asprintf", "assert",
    "at_quick_exit", "atexit", "basename", "bindtextdomain", "bsd_signal", "bsearch", "btowc", "c16rtomb", "c32rtomb",
    "call_once", "cfgetispeed", "cfgetospeed", "cfmakeraw", "cfsetispeed", "cfsetospeed", "cfsetspeed",
    "clearerr_unlocked", "copysign", "copysignf", "copysignl", "dgettext", "difftime", "dirname", "dngettext",
    "dprintf", "drand48", "drand48_r", "dysize", "ecvt", "ecvt_r", "erand48", "erand48_r", "err", "error",
    "error_at_line", "errx", "exit", "explicit_bzero", "fclose", "fcvt", "fcvt_r", "fflush", "fflush_unlocked",
    "flockfile", "fnmatch", "fprintf", "fputwc", "fputws", "frexp", "frexpf", "frexpl", "ftrylockfile", "funlockfile",
    "fwprintf", "gai_strerror", "gcvt", "getcontext", "getopt_long_only", "getsubopt", "gettext", "gmtime", "gmtime_r",
    "gnu_dev_major", "gnu_dev_makedev", "gnu_dev_minor", "gsignal", "hcreate", "hcreate_r", "hdestroy", "hdestroy_r",
    "herror", "hsearch", "hsearch_r", "htonl", "htons", "imaxdiv", "inet_addr", "inet_aton", "inet_lnaof",
    "inet_makeaddr", "inet_netof", "inet_network", "inet_ntoa", "inet_ntop", "inet_pton", "initstate", "initstate_r",
    "insque", "isctype", "iswalnum", "iswalpha", "iswblank", "iswcntrl", "iswctype", "iswdigit", "iswgraph",
    "iswlower", "iswprint", "iswpunct", "iswspace", "iswupper", "iswxdigit", "jrand48", "jrand48_r", "l64a", "lcong48",
    "lcong48_r", "ldexp", "ldexpf", "ldexpl", "lfind", "lrand48", "lrand48_r", "lsearch", "malloc_trim",
    "malloc_usable_size", "mallopt", "mblen", "mbrlen", "mbrtoc16", "mbrtoc32", "mbrtowc", "mbsinit", "mbsnrtowcs",
    "mbsrtowcs", "mbstowcs", "mbtowc", "memfrob", "modf", "modff", "modfl", "mrand48", "mrand48_r", "nanosleep",
    "ngettext", "nrand48", "nrand48_r", "ntohl", "ntohs", "on_exit", "parse_printf_format", "pause", "perror",
    "printf", "printf_size", "psiginfo", "psignal", "putchar_unlocked", "putw", "putwc", "putwchar", "pvalloc",
    "qecvt", "qecvt_r", "qfcvt", "qfcvt_r", "qgcvt", "quick_exit", "raise", "rand", "rand_r", "random", "random_r",
    "re_comp", "re_compile_pattern", "re_exec", "re_match", "re_search", "regcomp", "regerror", "regexec", "regfree",
    "remque", "rpmatch", "scalbn", "scalbnf", "scalbnl", "sched_yield", "seed48", "seed48_r", "setbuf", "setbuffer",
    "setcontext", "setitimer", "setlinebuf", "setstate", "setstate_r", "setvbuf", "sigaction", "sigaddset",
    "sigaltstack", "sigandset", "sigdelset", "sigemptyset", "sigfillset", "sigisemptyset", "sigismember", "signal",
    "sigorset", "sigprocmask", "sigset", "sleep", "snprintf", "sprintf", "srand", "srand48", "srand48_r", "srandom",
    "srandom_r", "sscanf", "strcoll", "strerror", "strerror_r", "strerrordesc_np", "strerrorname_np", "strfmon",
    "strfromd", "strfromf", "strfroml", "strfry", "strptime", "strsignal", "strverscmp", "strxfrm", "swab", "swprintf",
    "swscanf", "sysv_signal", "tdelete", "tdestroy", "textdomain", "tfind", "timegm", "tolower_l", "toupper_l",
    "towctrans", "towlower", "towupper", "tsearch", "twalk", "twalk_r", "ualarm", "usleep", "vasprintf", "vdprintf",
    "verr", "verrx", "versionsort", "vfprintf", "vfwprintf", "vprintf", "vsnprintf", "vsprintf", "vsscanf",
    "vswprintf", "vswscanf", "vwarn", "vwarnx", "vwprintf", "warn", "warnx", "wcrtomb", "wcswidth", "wctob", "wctomb",
    "wctrans", "wctype", "wcwidth", "wprintf",
))
# fmt: on
_FAMILIES = re.compile(
    r"pthread_(?:mutex|mutexattr|cond|condattr|attr|once|key|getspecific|setspecific|rwlock|rwlockattr|spin|self|equal)\w*"
    r"|(?:mtx|cnd|tss)_\w+|sem_(?:init|destroy|post|trywait|getvalue)"
    r"|wcs\w+|wcp\w+|wmem\w+|argz_\w+|envz_\w+|obstack_\w+|argp_\w+|is\w+_l|isw\w+_l|str\w+_l|wcs\w+_l"
    r"|str\w+|mem(?!fd)\w+|is(?:nan|inf|finite|normal)\w*|finite[fl]?"
)
_OF_THE_COMPILER = re.compile(
    r"(?:llvm|veer)[._]\w*.*|__(?:asan|ubsan|stack_chk|errno_location|ctype|assert|h_errno)\w*"
)
_OF_CXX = re.compile(r"_ZN?[KVRO]*S[abdiost]\w*|_Z(?:n[wa]|d[la])\w+|__cxa_\w+|__gxx_\w+|_Unwind_\w+|__dso_handle")
_ASKING_CXX = re.compile(r"chrono|fstream|filebuf|random_device|filesystem|locale|thread")
_MARKED = re.compile(r"__(?:isoc\d+_)?(\w+?)(?:_chk)?")
"""Names of glibc's headers for plain ones: __printf_chk, __isoc99_sscanf, __strtol_internal."""


def is_self_contained(name: str) -> bool:
    """Whether the function asks the machine for nothing, as far as its name says."""
    if _OF_THE_COMPILER.fullmatch(name) or is_mathematical(name):
        return True
    if _OF_CXX.fullmatch(name):
        return not _ASKING_CXX.search(name)
    marked = _MARKED.fullmatch(name)
    plain = marked[1] if marked else name
    # A library that is linked may have names of these families, too: `stream_open`.
    is_of_family = any(_FAMILIES.fullmatch(each) for each in (name, plain)) and in_system_library(name)
    return is_of_family or not _NAMES.isdisjoint((name, plain))
