/* Output to streams: to those of a run it goes as it is, with its constraints; to others the machine writes it, and what the call returns
   is asked of the stream, which knows nothing of what was written. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "files.h"
#include "libc.h"

#undef putc

enum { SHORT_TEXT = 256 };

int veer_libc_fputc(int c, FILE *stream) {
    unsigned char byte = (unsigned char)c;
    if (veer_is_own_stream(stream)) return veer_put_bytes(stream, &byte, 1) == 1 ? byte : EOF;
    fputc(c, stream);
    return ferror(stream) ? EOF : (unsigned char)c;
}

int veer_libc_putc(int c, FILE *stream) { return veer_libc_fputc(c, stream); }
int veer_libc_putc_unlocked(int c, FILE *stream) { return veer_libc_fputc(c, stream); }
int veer_libc_fputc_unlocked(int c, FILE *stream) { return veer_libc_fputc(c, stream); }

int veer_libc_fputs(const char *text, FILE *stream) {
    if (veer_is_own_stream(stream)) {
        size_t length = veer_libc_strlen(text);
        return veer_put_bytes(stream, text, length) == length ? 1 : EOF;
    }
    fputs(text, stream);
    return ferror(stream) ? EOF : 1;
}

int veer_libc_fputs_unlocked(const char *text, FILE *stream) { return veer_libc_fputs(text, stream); }

size_t veer_libc_fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    if (veer_is_own_stream(stream)) {
        if (!size || !count) return 0;
        size_t wanted = size * count, taken = veer_put_bytes(stream, from, wanted);
        return taken == wanted ? count : taken / size;
    }
    fwrite(from, size, count, stream);
    return !size || ferror(stream) ? 0 : count;
}

size_t veer_libc_fwrite_unlocked(const void *from, size_t size, size_t count, FILE *stream) {
    return veer_libc_fwrite(from, size, count, stream);
}

int veer_libc_vfprintf(FILE *stream, const char *format, va_list list) {
    char short_text[SHORT_TEXT], *text = short_text;
    va_list again;
    if (!veer_is_own_stream(stream)) return vfprintf(stream, format, list);
    va_copy(again, list);
    int length = veer_libc_vsnprintf(short_text, sizeof short_text, format, again);
    va_end(again);
    if (length >= (int)sizeof short_text) {
        text = veer_malloc((size_t)length + 1);
        if (!text) return -1;
        veer_libc_vsnprintf(text, (size_t)length + 1, format, list);
    }
    if (length > 0 && veer_put_bytes(stream, text, (size_t)length) != (size_t)length) length = -1;
    if (text != short_text) veer_free(text);
    return length;
}

int veer_libc_fprintf(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = veer_libc_vfprintf(stream, format, list);
    va_end(list);
    return length;
}
