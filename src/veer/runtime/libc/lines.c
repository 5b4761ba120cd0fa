/* Reading by lines, blocks and formats, on top of single characters (streams.c). */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "files.h"
#include "libc.h"
#include "scan.h"

#undef stdin

char *veer_libc_fgets(char *line, int size, FILE *stream) {
    int n = 0, c = 0;
    if (!veer_is_own_stream(stream)) return fgets(line, size, stream);
    if (size <= 0) return NULL;
    while (n + 1 < size && c != '\n') {
        c = veer_libc_fgetc(stream);
        if (c == EOF) break;
        line[n++] = (char)c;
    }
    if (n == 0 && size > 1) return NULL;
    line[n] = 0;
    return line;
}

/* gets(), which C11 removed and old programs still call. */
char *veer_libc_gets(char *line) {
    int n = 0, c;
    while ((c = veer_libc_getchar()) != EOF && c != '\n') line[n++] = (char)c;
    if (n == 0 && c == EOF) return NULL;
    line[n] = 0;
    return line;
}

size_t veer_libc_fread(void *to, size_t size, size_t count, FILE *stream) {
    unsigned char *bytes = to;
    size_t wanted = size * count, n = 0;
    int c;
    if (!veer_is_own_stream(stream)) return fread(to, size, count, stream);
    if (wanted == 0) return 0;
    if (wanted >= STREAM_ROOM && veer_libc_feof(stream)) veer_refuse("a large block is read behind the end of a file");
    while (n < wanted && (c = veer_libc_fgetc(stream)) != EOF) bytes[n++] = (unsigned char)c;
    return n / size;
}

ssize_t veer_libc_getdelim(char **line, size_t *room, int delimiter, FILE *stream) {
    size_t n = 0;
    int c;
    if (!veer_is_own_stream(stream)) return getdelim(line, room, delimiter, stream);
    if (!*line) *room = 0;
    while ((c = veer_libc_fgetc(stream)) != EOF) {
        if (n + 2 > *room) {
            *room = n < 60 ? 120 : 2 * n;
            *line = veer_realloc(*line, *room);
        }
        (*line)[n++] = (char)c;
        if (c == delimiter) break;
    }
    if (n == 0) return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t veer_libc_getline(char **line, size_t *room, FILE *stream) { return veer_libc_getdelim(line, room, '\n', stream); }

int veer_libc_vfscanf(FILE *stream, const char *format, va_list list) {
    struct source source = {.stream = stream};
    if (!veer_is_own_stream(stream)) return vfscanf(stream, format, list);
    if (!veer_is_readable(stream)) {
        errno = EBADF;
        return EOF;
    }
    if (!veer_scan_knows(format)) veer_refuse("a conversion of scanf that veer cannot read from a symbolic file");
    return veer_scan(&source, format, list);
}

int veer_libc_vscanf(const char *format, va_list list) { return veer_libc_vfscanf(stdin, format, list); }

int veer_libc_fscanf(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int stored = veer_libc_vfscanf(stream, format, list);
    va_end(list);
    return stored;
}

int veer_libc_scanf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int stored = veer_libc_vfscanf(stdin, format, list);
    va_end(list);
    return stored;
}
