/* Single characters to standard output: they are written by the machine, and what the call returns is the character, a term. */
#include <stdio.h>

#undef putchar

/* Whether it was written is asked of the stream, which knows nothing of the character. */
int veer_libc_putchar(int c) {
    fputc(c, stdout);
    return ferror(stdout) ? EOF : (unsigned char)c;
}
