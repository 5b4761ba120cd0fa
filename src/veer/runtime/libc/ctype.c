/* Character classes of the C locale, as comparisons that a solver understands (glibc's are tables). */
int veer_libc_isdigit(int c) { return c >= '0' && c <= '9'; }
int veer_libc_islower(int c) { return c >= 'a' && c <= 'z'; }
int veer_libc_isupper(int c) { return c >= 'A' && c <= 'Z'; }
int veer_libc_isalpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
int veer_libc_isalnum(int c) { return veer_libc_isalpha(c) || veer_libc_isdigit(c); }
int veer_libc_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int veer_libc_isblank(int c) { return c == ' ' || c == '\t'; }
int veer_libc_isprint(int c) { return c >= ' ' && c <= '~'; }
int veer_libc_isgraph(int c) { return c > ' ' && c <= '~'; }
int veer_libc_iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int veer_libc_ispunct(int c) { return veer_libc_isgraph(c) && !veer_libc_isalnum(c); }
int veer_libc_isascii(int c) { return (c & ~127) == 0; }
int veer_libc_toascii(int c) { return c & 127; }
int veer_libc_isxdigit(int c) { return veer_libc_isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int veer_libc_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
int veer_libc_toupper(int c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

/* The same of wide characters: in the C locale, only ASCII has classes. WEOF, the unsigned -1, has none. */
#define WIDE_CLASS(NAME, CLASS) int veer_libc_##NAME(unsigned c) { return c < 128 && CLASS((int)c); }
WIDE_CLASS(iswdigit, veer_libc_isdigit)
WIDE_CLASS(iswlower, veer_libc_islower)
WIDE_CLASS(iswupper, veer_libc_isupper)
WIDE_CLASS(iswalpha, veer_libc_isalpha)
WIDE_CLASS(iswalnum, veer_libc_isalnum)
WIDE_CLASS(iswspace, veer_libc_isspace)
WIDE_CLASS(iswblank, veer_libc_isblank)
WIDE_CLASS(iswprint, veer_libc_isprint)
WIDE_CLASS(iswgraph, veer_libc_isgraph)
WIDE_CLASS(iswcntrl, veer_libc_iscntrl)
WIDE_CLASS(iswpunct, veer_libc_ispunct)
WIDE_CLASS(iswxdigit, veer_libc_isxdigit)
unsigned veer_libc_towlower(unsigned c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
unsigned veer_libc_towupper(unsigned c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }
