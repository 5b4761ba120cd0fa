/* Streams that are inputs: standard input, and files that a harness makes symbolic. What fopen opens otherwise is the machine's (calls
   from here are not redirected). A stream of veer's own is no FILE of the machine's; only its address is taken for one. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "files.h"
#include "libc.h"
#include "veer_harness.h"

#undef stdin
#undef getc
#undef getchar

enum { MOST_FILES = 8, MOST_STREAMS = 16, MOST_BYTES = 4096, NO_CHARACTER = -2 };

struct file {
    const char *name;
    unsigned char *bytes;
    unsigned size; /* in the run; symbolic where a file may be shorter than what was asked for */
};

struct stream {
    const struct file *file; /* NULL: closed */
    unsigned position;
    int pushed; /* a character that ungetc put back */
    int at_end;
};

static unsigned char pool[MOST_BYTES]; /* the bytes of all files */
static unsigned pool_used;
static struct file files[MOST_FILES]; /* the first is standard input */
static unsigned file_count = 1;
static struct stream streams[MOST_STREAMS] = {{.file = &files[0], .pushed = NO_CHARACTER}};

static void make_bytes(struct file *file, unsigned long size, const char *name) {
    unsigned long room = MOST_BYTES - pool_used;
    *file = (struct file){name, pool + pool_used, (unsigned)(size < room ? size : room)};
    pool_used += file->size;
    if (file->size) veer_make_symbolic(file->bytes, file->size, name, 1);
}

/* Called by a harness: the root input `name` of at most `size` bytes, and how many there are as the root input `size_name`. */
void veer_symbolic_file(const char *name, const char *size_name, unsigned long size) {
    struct file *file = veer_libc_strcmp(name, "stdin") == 0 ? &files[0] : &files[file_count < MOST_FILES ? file_count++ : MOST_FILES - 1];
    struct veer_type type = {.id = UINT32_MAX, .kind = VEER_TYPE_UNSIGNED, .size = 4, .alignment = 4};
    make_bytes(file, size, name);
    type.high = file->size;
    if (type.high) veer_make(&file->size, &type, size_name);
}

/* The stream of veer's own that a FILE is, NULL for the machine's. */
static struct stream *own(FILE *stream) {
    char *address = (char *)stream, *first = (char *)streams;
    if (stream == stdin) return &streams[0];
    return address >= first && address < first + sizeof streams ? (struct stream *)stream : NULL;
}

int veer_is_own_stream(FILE *stream) { return own(stream) != NULL; }

FILE *veer_libc_fopen(const char *name, const char *mode) {
    int is_reading = mode[0] == 'r' && !veer_libc_strchr(mode, '+');
    if (!name) { /* open finds no text there, and says so */
        errno = EFAULT;
        return NULL;
    }
    for (unsigned k = 1; is_reading && k < file_count; k++) {
        if (veer_libc_strcmp(name, files[k].name) != 0) continue;
        for (unsigned free = 1; free < MOST_STREAMS; free++) {
            if (streams[free].file) continue;
            streams[free] = (struct stream){.file = &files[k], .pushed = NO_CHARACTER};
            return (FILE *)&streams[free];
        }
    }
    return fopen(name, mode);
}

int veer_libc_fclose(FILE *stream) {
    struct stream *found = own(stream);
    if (!found) return fclose(stream);
    if (found != streams) found->file = NULL;
    return 0;
}

static int take(struct stream *stream) {
    int c = stream->pushed;
    stream->pushed = NO_CHARACTER;
    if (c != NO_CHARACTER) return c;
    if (stream->position < stream->file->size) return stream->file->bytes[stream->position++];
    stream->at_end = 1;
    return EOF;
}

int veer_libc_fgetc(FILE *stream) {
    struct stream *found = own(stream);
    return found ? take(found) : fgetc(stream);
}

int veer_libc_getc(FILE *stream) { return veer_libc_fgetc(stream); }
int veer_libc_getc_unlocked(FILE *stream) { return veer_libc_fgetc(stream); }
int veer_libc_getchar(void) { return take(&streams[0]); }
int veer_libc_getchar_unlocked(void) { return take(&streams[0]); }

/* glibc takes back one character for sure, and so does this. */
int veer_libc_ungetc(int c, FILE *stream) {
    struct stream *found = own(stream);
    if (!found) return ungetc(c, stream);
    if (c == EOF || found->pushed != NO_CHARACTER) return EOF;
    found->at_end = 0;
    return found->pushed = (unsigned char)c;
}

int veer_libc_feof(FILE *stream) {
    struct stream *found = own(stream);
    return found ? found->at_end : feof(stream);
}

int veer_libc_ferror(FILE *stream) { return own(stream) ? 0 : ferror(stream); }

void veer_libc_clearerr(FILE *stream) {
    struct stream *found = own(stream);
    if (found) found->at_end = 0;
    else clearerr(stream);
}

long veer_libc_ftell(FILE *stream) {
    struct stream *found = own(stream);
    return found ? (long)found->position - (found->pushed != NO_CHARACTER) : ftell(stream);
}

int veer_libc_fseek(FILE *stream, long offset, int origin) {
    struct stream *found = own(stream);
    if (!found) return fseek(stream, offset, origin);
    long base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? veer_libc_ftell(stream) : (long)found->file->size;
    if (base + offset < 0) return -1;
    found->position = (unsigned)(base + offset);
    found->pushed = NO_CHARACTER;
    found->at_end = 0;
    return 0;
}

void veer_libc_rewind(FILE *stream) {
    if (own(stream)) veer_libc_fseek(stream, 0, SEEK_SET);
    else rewind(stream);
}

int veer_libc_fflush(FILE *stream) { return stream && own(stream) ? 0 : fflush(stream); }

int veer_libc_setvbuf(FILE *stream, char *buffer, int mode, size_t size) { return own(stream) ? 0 : setvbuf(stream, buffer, mode, size); }

void veer_libc_setbuf(FILE *stream, char *buffer) { veer_libc_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ); }

ssize_t veer_read_input(void *to, size_t size) {
    unsigned char *bytes = to;
    size_t n = 0;
    for (int c; n < size && (c = take(&streams[0])) != EOF; n++) bytes[n] = (unsigned char)c;
    return (ssize_t)n;
}
