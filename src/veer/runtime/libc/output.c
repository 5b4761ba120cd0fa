/* Single characters of output: they are written by the machine, and what the call returns is the character, a term. */
#include <stdio.h>

#undef putchar
#undef putc

/* Whether it was written is asked of the stream, which knows nothing of the character. */
int veer_libc_fputc(int c, FILE *stream) {
    if (ferror(stream)) return fputc(c, stream);
    fputc(c, stream);
    return ferror(stream) ? EOF : (unsigned char)c;
}

int veer_libc_putc(int c, FILE *stream) { return veer_libc_fputc(c, stream); }

int veer_libc_putchar(int c) { return veer_libc_fputc(c, stdout); }
