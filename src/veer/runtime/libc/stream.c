/* Standard input as an input of the program under test: a harness makes its first bytes symbolic (veer_libc_symbolic_stdin); behind
   them is the end of the file. Streams other than stdin are libc's (calls from here are not redirected). */
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "libc.h"
#include "veer_harness.h"

#undef stdin
#undef getc
#undef getchar

enum { STDIN_MOST = 4096 };

static unsigned char veer_stdin[STDIN_MOST];
static size_t veer_stdin_size;
static size_t position;
static int at_end;

/* Called by the harness of a whole program: the root input "stdin" of `size` bytes. */
void veer_libc_symbolic_stdin(unsigned long size) {
    veer_stdin_size = size < STDIN_MOST ? size : STDIN_MOST;
    if (veer_stdin_size) veer_make_symbolic(veer_stdin, veer_stdin_size, "stdin", 1);
}

int veer_libc_getchar(void) {
    if (position < veer_stdin_size) return veer_stdin[position++];
    at_end = 1;
    return EOF;
}

int veer_libc_fgetc(FILE *stream) { return stream == stdin ? veer_libc_getchar() : fgetc(stream); }
int veer_libc_getc(FILE *stream) { return veer_libc_fgetc(stream); }
int veer_libc_getc_unlocked(FILE *stream) { return veer_libc_fgetc(stream); }
int veer_libc_getchar_unlocked(void) { return veer_libc_getchar(); }

int veer_libc_ungetc(int c, FILE *stream) {
    if (stream != stdin || c == EOF) return EOF;
    if (position == 0) return EOF;
    veer_stdin[--position] = (unsigned char)c;
    at_end = 0;
    return (unsigned char)c;
}

int veer_libc_feof(FILE *stream) { return stream == stdin ? at_end : feof(stream); }
int veer_libc_ferror(FILE *stream) { return stream == stdin ? 0 : ferror(stream); }

void veer_libc_clearerr(FILE *stream) {
    if (stream == stdin) at_end = 0;
    else clearerr(stream);
}

char *veer_libc_fgets(char *line, int size, FILE *stream) {
    int n = 0, c = 0;
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
    if (wanted == 0) return 0;
    while (n < wanted && (c = veer_libc_fgetc(stream)) != EOF) bytes[n++] = (unsigned char)c;
    return n / size;
}

ssize_t veer_libc_read(int descriptor, void *to, size_t size) {
    unsigned char *bytes = to;
    size_t n = 0;
    if (descriptor != 0) return read(descriptor, to, size);
    while (n < size && position < veer_stdin_size) bytes[n++] = veer_stdin[position++];
    return (ssize_t)n;
}

ssize_t veer_libc_getline(char **line, size_t *room, FILE *stream) {
    size_t n = 0;
    int c = 0;
    while (c != '\n' && (c = veer_libc_fgetc(stream)) != EOF) {
        if (!*line || n + 2 > *room) {
            *room = n < 60 ? 120 : 2 * n;
            *line = veer_realloc(*line, *room);
        }
        (*line)[n++] = (char)c;
    }
    if (n == 0) return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}
