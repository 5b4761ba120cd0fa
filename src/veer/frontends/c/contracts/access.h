/* Included behind sal.h where a file of the user's has gcc's attribute `access`: POSIX's function is declared first. */
#if defined(__has_include)
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif
#endif
#define access(...) annotate("veer:access " #__VA_ARGS__)
