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
