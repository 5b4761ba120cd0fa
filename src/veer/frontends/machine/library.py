"""Functions of the C library that machine code calls and that veer has in C: how they are called.

The file has none of their code. A call is one of veer's own (runtime/libc), on the machine's memory; the emulator has
them a second time, in Python (emulated_library.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from veer.frontends.machine import arithmetic, errornumber
from veer.frontends.machine.architectures import ARM, I8051, RISCV32, RISCV64, X86_64, Architecture
from veer.frontends.machine.relocations import DESCRIBED

_BYTES = """
void *memcpy(void *to, const void *from, size_t size)
void *memmove(void *to, const void *from, size_t size)
void *memset(void *to, int value, size_t size)
void *mempcpy(void *to, const void *from, size_t size)
int memcmp(const void *a, const void *b, size_t size)
int bcmp(const void *a, const void *b, size_t size)
void *memchr(const void *s, int c, size_t size)
void *memrchr(const void *s, int c, size_t size)
void *rawmemchr(const void *s, int c)
void *memmem(const void *s, size_t size, const void *what, size_t length)
void *memccpy(void *to, const void *from, int c, size_t size)
void bzero(void *to, size_t size)
void bcopy(const void *from, void *to, size_t size)
size_t strlen(const char *s)
size_t strnlen(const char *s, size_t most)
int strcmp(const char *a, const char *b)
int strncmp(const char *a, const char *b, size_t most)
int strcasecmp(const char *a, const char *b)
int strncasecmp(const char *a, const char *b, size_t most)
char *strcpy(char *to, const char *from)
char *strncpy(char *to, const char *from, size_t most)
char *stpcpy(char *to, const char *from)
char *stpncpy(char *to, const char *from, size_t most)
size_t strlcpy(char *to, const char *from, size_t room)
size_t strlcat(char *to, const char *from, size_t room)
char *strcat(char *to, const char *from)
char *strncat(char *to, const char *from, size_t most)
char *strchr(const char *s, int c)
char *strrchr(const char *s, int c)
char *strchrnul(const char *s, int c)
char *strstr(const char *s, const char *what)
char *strcasestr(const char *s, const char *what)
char *strpbrk(const char *s, const char *set)
size_t strspn(const char *s, const char *set)
size_t strcspn(const char *s, const char *set)
char *strtok(char *s, const char *set)
char *strdup(const char *s)
char *strndup(const char *s, size_t most)
"""
_HEAP = """
void *malloc(size_t size)
void *calloc(size_t count, size_t size)
void *realloc(void *old, size_t size)
void *reallocarray(void *old, size_t count, size_t size)
void free(void *old)
"""
_NUMBERS = """
int abs(int a)
long labs(long a)
long long llabs(long long a)
int isdigit(int c)
int isalpha(int c)
int isalnum(int c)
int isspace(int c)
int isupper(int c)
int islower(int c)
int isxdigit(int c)
int isprint(int c)
int ispunct(int c)
int iscntrl(int c)
int isgraph(int c)
int isblank(int c)
int isascii(int c)
int toascii(int c)
int ffs(int a)
int tolower(int c)
int toupper(int c)
int atoi(const char *s)
long atol(const char *s)
long long atoll(const char *s)
long strtol(const char *s, void *end, int base)
long long strtoll(const char *s, void *end, int base)
unsigned long strtoul(const char *s, void *end, int base)
unsigned long long strtoull(const char *s, void *end, int base)
void *__errno_location(void)
char *getenv(const char *name)
"""
_ORDERS = """
unsigned htonl(unsigned a)
unsigned ntohl(unsigned a)
unsigned short htons(unsigned short a)
unsigned short ntohs(unsigned short a)
"""
_OF_ARM = """
void __aeabi_memset(void *to, size_t size, int value)
void __aeabi_memclr(void *to, size_t size)
"""
_ENDINGS = """
void abort(void)
void exit(int code)
void _exit(int code)
void __stack_chk_fail(void)
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
void __assert_func(const char *file, int line, const char *function, const char *text)
"""
_OUTPUT = """
int puts(const char *s)
int putchar(int c)
int fputs(const char *s, void *stream)
int fputc(int c, void *stream)
int putc(int c, void *stream)
size_t fwrite(const void *data, size_t size, size_t count, void *stream)
int printf(const char *format)
int fprintf(void *stream, const char *format)
int vprintf(const char *format)
int vfprintf(void *stream, const char *format)
void perror(const char *s)
int __printf_chk(int flag, const char *format)
int __vprintf_chk(int flag, const char *format)
int __vfprintf_chk(void *stream, int flag, const char *format)
int __fprintf_chk(void *stream, int flag, const char *format)
"""
_TABLES = """
void *__ctype_b_loc(void)
void *__ctype_tolower_loc(void)
void *__ctype_toupper_loc(void)
void *localeconv(void)
"""
_THREADS = f"""
void *{DESCRIBED}(void *descriptor)
void *__tls_get_addr(void *index)
"""
_CHECKED = """
void *__memcpy_chk(void *to, const void *from, size_t size, size_t room)
void *__memmove_chk(void *to, const void *from, size_t size, size_t room)
void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room)
void *__memset_chk(void *to, int value, size_t size, size_t room)
char *__strcpy_chk(char *to, const char *from, size_t room)
char *__stpcpy_chk(char *to, const char *from, size_t room)
char *__strcat_chk(char *to, const char *from, size_t room)
char *__strncpy_chk(char *to, const char *from, size_t size, size_t room)
"""
_FORMATTED = """
int sprintf(char *to, const char *format)
int snprintf(char *to, size_t size, const char *format)
int __sprintf_chk(char *to, int flag, size_t room, const char *format)
int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format)
"""
_FORMATTED_LIST = """
int vsprintf(char *to, const char *format, void *list)
int vsnprintf(char *to, size_t size, const char *format, void *list)
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, void *list)
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, void *list)
"""
_TOKENS = """
char *strtok_r(char *s, const char *set, void *kept)
char *strsep(void *kept, const char *set)
"""
_ANSWERED = """
int fflush(void *stream)
int ferror(void *stream)
int pthread_mutex_init(void *mutex, const void *how)
int pthread_mutex_destroy(void *mutex)
int pthread_mutex_lock(void *mutex)
int pthread_mutex_unlock(void *mutex)
"""
_OF_FLOATS = """
double strtod(const char *s, void *end)
double atof(const char *s)
"""
FLOAT_INTRINSICS: Mapping[str, str] = MappingProxyType(
    {
        "sqrt": "sqrt",
        "fabs": "fabs",
        "floor": "floor",
        "ceil": "ceil",
        "trunc": "trunc",
        "round": "round",
        "rint": "rint",
        "nearbyint": "nearbyint",
    }
)
"""Functions of one number whose result C defines to the last bit, and what LLVM calls them."""
_EXACT = "\n".join(
    f"{type_} {name}{end}({type_} a)" for name in FLOAT_INTRINSICS for type_, end in (("double", ""), ("float", "f"))
)
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "__isoc23_strtol": "strtol",
        "__isoc23_strtoul": "strtoul",
        "__isoc23_strtoll": "strtoll",
        "__isoc23_strtoull": "strtoull",
        "__aeabi_memcpy": "memcpy",
        "__aeabi_memcpy4": "memcpy",
        "__aeabi_memcpy8": "memcpy",
        "__aeabi_memmove": "memmove",
        "__aeabi_memmove4": "memmove",
        "__aeabi_memmove8": "memmove",
        "__aeabi_memset4": "__aeabi_memset",
        "__aeabi_memset8": "__aeabi_memset",
        "__aeabi_memclr4": "__aeabi_memclr",
        "__aeabi_memclr8": "__aeabi_memclr",
        "__isoc23_strtod": "strtod",
        **dict.fromkeys(errornumber.NAMES - {errornumber.LOCATION}, errornumber.LOCATION),
        "__strdup": "strdup",
        "strtoimax": "strtoll",
        "strtoumax": "strtoull",
        "strtoq": "strtoll",
        "strtouq": "strtoull",
        "__isoc23_strtoimax": "strtoll",
        "__isoc23_strtoumax": "strtoull",
        "index": "strchr",
        "rindex": "strrchr",
        "explicit_bzero": "bzero",
        "_Exit": "_exit",
        "strcoll": "strcmp",
        "__strtok_r": "strtok_r",
        "secure_getenv": "getenv",
        "fflush_unlocked": "fflush",
        "ferror_unlocked": "ferror",
    }
)
"""Other names of the same functions."""
NO_RETURN = frozenset(("abort", "exit", "_exit", "__stack_chk_fail", "__assert_fail", "__assert_func"))
"""They do not return."""
IN_WORDS: Mapping[str, int] = MappingProxyType({DESCRIBED: 1, "__tls_get_addr": 0})
"""Where a variable of the thread lies: the sum of the two words of the argument from this one on (relocations.py)."""
NEW_IN_C = frozenset(("strlcpy", "strlcat"))
"""Functions that the C library of older machines does not have, on which tests are replayed: veer's are called."""
SMALL_RESULT = frozenset(("atoi", "atol", "strtol"))
"""What they return is of the machine's `long`: where that has 32 bits, greater numbers become the greatest of it."""
END = "end"
"""The parameter that leads to a pointer which the function writes."""


def _rows(*texts: str) -> dict[str, str]:
    return {row.split("(")[0].split()[-1].lstrip("*"): row for text in texts for row in text.strip().splitlines()}


_OF_ALL, _OF_EABI, OUTPUT = (
    _rows(_BYTES, _HEAP, _NUMBERS, _ORDERS, _ENDINGS, _OUTPUT, _ANSWERED, _TABLES, _THREADS, _CHECKED, _FORMATTED),
    _rows(_OF_ARM),
    frozenset(_rows(_OUTPUT)),
)
_WITH_LIST, _WITH_FLOATS, _WITH_TOKENS = _rows(_FORMATTED_LIST), _rows(_OF_FLOATS, _EXACT), _rows(_TOKENS)
KNOWN = frozenset((*_OF_ALL, *_OF_EABI, *_WITH_LIST, *_WITH_FLOATS, *_WITH_TOKENS, *arithmetic.NAMES))
"""All of them."""
CHECKED: Mapping[str, str] = MappingProxyType(
    {name: name.removeprefix("__").removesuffix("_chk") for name in _rows(_CHECKED)}
)
"""Functions that end the program where there is too little room, and the functions that they are otherwise."""
ORDERS = frozenset(_rows(_ORDERS))
"""Functions that turn a number into the order of networks, which is that of big-endian machines."""
FORMATTED = frozenset((*_rows(_FORMATTED), *_WITH_LIST))
"""Formatted output into memory: its arguments lie behind the named ones, or where a `va_list` says."""
_SIMPLE_LISTS = frozenset(each.name for each in (ARM, X86_64, RISCV32, RISCV64))
"""Machines whose `va_list` is followed: a pointer to words, and x86-64's own, which is that of veer's process."""
ANSWERED = frozenset(_rows(_ANSWERED))
"""Functions that do nothing and return 0: nothing fails, and there is one thread."""
SETS = frozenset(_OF_EABI)
"""Functions that are `memset` with the size before the value, or with 0 for the value."""
PRINTED = 1
"""What functions of output return that do not return an argument: nothing is written, and nothing fails."""
RETURNED: Mapping[str, str] = MappingProxyType({"fwrite": "count", "putchar": "c", "fputc": "c", "putc": "c"})
"""The argument that such a function returns."""


def float_intrinsic(name: str) -> str:
    """What stands for such a function in IR; of others their own name."""
    for end, width in (("", 64), ("f", 32)):
        known = FLOAT_INTRINSICS.get(name.removesuffix(end) if name.endswith(end) else "")
        if known is not None:
            return f"llvm.{known}.f{width}"
    return name


def canonical(name: str) -> str:
    """A function's usual name."""
    return ALIASES.get(name, name)


def prototype(name: str, machine: Architecture) -> str | None:
    """How C declares it; None for a function that veer has no model of."""
    if machine is I8051:
        return None
    if (known := arithmetic.calculation(name, machine)) is not None:
        return known.prototype
    rows = _OF_ALL | (_OF_EABI if machine is ARM else {})
    rows |= (_WITH_LIST if machine.name in _SIMPLE_LISTS else {}) | _WITH_FLOATS
    rows |= _WITH_TOKENS if machine.bits == 64 else {}  # they keep a pointer of the machine in its memory
    return rows.get(canonical(name))
