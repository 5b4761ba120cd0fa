/* Streams over descriptors of a run, with glibc's buffers: what was not flushed is in no file yet, and what was read ahead is out of it. A
   stream of veer's own is no FILE of the machine's; only its address is taken for one. Standard output and error are the machine's. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "files.h"
#include "libc.h"
#include "veer_harness.h"

#undef stdin
#undef stdout
#undef stderr
#undef getc
#undef getchar

enum { MOST_STREAMS = 32 };
enum state { FRESH, CLOSED, IDLE, READING, WRITING };

/* CLOSED: the place is taken again only when none is FRESH, so that a use behind fclose is seen. READING: the bytes from `next` to `end` are read ahead. They lie in `buffer`, or in the file itself (`whole`) where that is an input, whose
   length may be symbolic. WRITING: the bytes from 0 to `end` of `buffer` are not written yet. */
struct stream {
    enum state state;
    int number;
    int can_read, can_write, appends;
    unsigned char *buffer;
    const unsigned char *whole;
    size_t first, next, end; /* `first`: where reading ahead began */
    int pushed; /* a character that ungetc put back */
    int at_end, has_error;
    int buffering;
    struct node *read_node; /* it has read, or looked for a place in */
};

static struct stream veer_streams[MOST_STREAMS] = {{.state = IDLE, .can_read = 1, .pushed = NO_CHARACTER}};

/* The stream of veer's own that a FILE is, NULL for the machine's. Ends the run where it was closed: its FILE is gone. The machine's
   standard input stays there when it is closed. */
static struct stream *own(FILE *stream) {
    char *address = (char *)stream, *first = (char *)veer_streams;
    if (stream == stdin) return &veer_streams[0];
    if (address < first || address >= first + sizeof veer_streams) return NULL;
    struct stream *found = (struct stream *)stream;
    if (found->state == CLOSED) veer_used_behind_close();
    return found;
}

/* Standard output and error are the machine's, and those of all runs: none may close them, or give them a buffer of its own. */
static int is_standard(FILE *stream) { return stream == stdout || stream == stderr; }

int veer_is_own_stream(FILE *stream) { return own(stream) != NULL; }

static unsigned number_of(const struct stream *stream) { return 1 + (unsigned)(stream - veer_streams); }

int veer_stream_reads(unsigned held, const struct node *node) { return veer_streams[held - 1].read_node == node; }

int veer_is_readable(FILE *stream) { return own(stream)->can_read; }

static struct description *file_of(struct stream *stream) {
    struct description *file = veer_description(stream->number);
    if (file && file->held && file->held != number_of(stream)) veer_refuse("two streams use one open file");
    if (file) file->held = number_of(stream);
    return file;
}

/* -- buffers ---------------------------------------------------------------------------------------------------------- */

static int write_out(struct stream *stream, const unsigned char *from, size_t size) {
    struct description *file = file_of(stream);
    ssize_t written = file ? veer_give_bytes(file, from, size) : -1;
    if (written < 0) stream->has_error = 1;
    return written < 0 ? EOF : 0;
}

/* Writes what waits; gives back what was read ahead, where the file has places. */
static int settle(struct stream *stream) {
    int result = 0;
    if (stream->state <= IDLE) return 0;
    struct description *file = file_of(stream);
    if (stream->state == WRITING && stream->end) {
        result = write_out(stream, stream->buffer, stream->end);
    } else if (stream->state == READING && file && file->node->kind == REGULAR) {
        file->position -= stream->end - stream->next;
    }
    stream->state = IDLE;
    stream->next = stream->end = 0;
    return result;
}

/* The same for fflush, behind which a stream that was written has an empty buffer, and not none. */
static int flush(struct stream *stream) {
    int was_writing = stream->state == WRITING;
    if (stream->pushed != NO_CHARACTER) veer_refuse("fflush behind ungetc");
    int result = settle(stream);
    if (was_writing) stream->state = WRITING;
    return result;
}

/* From now on what others write to the file is not what this stream reads. */
static void reads(struct stream *stream, struct node *node) {
    if (stream->read_node || !stream->can_read) return;
    stream->read_node = node;
    node->stream_readers++;
}

static void reads_no_more(struct stream *stream) {
    if (stream->read_node) stream->read_node->stream_readers--;
    stream->read_node = NULL;
}

static int has_buffer(struct stream *stream) {
    if (!stream->buffer) stream->buffer = veer_malloc(STREAM_ROOM);
    return stream->buffer != NULL;
}

/* Reads ahead: whether there is a byte. */
static int fill(struct stream *stream) {
    if (stream->state == WRITING && stream->end) veer_refuse("input directly behind output: C asks for fflush or fseek between them");
    if (stream->state == WRITING && settle(stream)) return 0;
    if (stream->at_end) return 0;
    if (!stream->can_read) {
        errno = EBADF;
        stream->has_error = 1;
        return 0;
    }
    struct description *file = file_of(stream);
    if (!file || !has_buffer(stream)) {
        stream->has_error = 1;
        return 0;
    }
    reads(stream, file->node);
    stream->state = READING;
    stream->whole = NULL;
    stream->first = stream->next = stream->end = 0;
    if (veer_is_symbolic(file->node->size)) { /* at most STREAM_ROOM bytes */
        stream->whole = file->node->bytes;
        stream->next = stream->first = file->position;
        stream->end = file->position < file->node->size ? file->node->size : file->position;
        file->position = stream->end;
    } else {
        ssize_t got = veer_take_bytes(file, stream->buffer, stream->buffering == _IONBF ? 1 : STREAM_ROOM);
        if (got < 0) stream->has_error = 1;
        else stream->end = (size_t)got;
        if (got < 0) return 0;
    }
    if (stream->next < stream->end) return 1;
    stream->at_end = 1;
    return 0;
}

static int take(struct stream *stream) {
    int c = stream->pushed;
    stream->pushed = NO_CHARACTER;
    if (c != NO_CHARACTER) return c;
    if ((stream->state != READING || stream->next >= stream->end) && !fill(stream)) return EOF;
    c = stream->whole ? stream->whole[stream->next] : stream->buffer[stream->next];
    stream->next++;
    return c;
}

/* As glibc has it: the buffer is filled, then whole buffers go out, then the rest waits. */
static size_t put(struct stream *stream, const unsigned char *from, size_t size) {
    size_t taken = 0;
    if (stream->pushed != NO_CHARACTER) veer_refuse("output behind ungetc");
    if (!stream->can_write) {
        errno = EBADF;
        stream->has_error = 1;
        return 0;
    }
    int was_writing = stream->state == WRITING;
    if (stream->state == READING && stream->next < stream->end) veer_refuse("output directly behind input: C asks for fseek between them");
    if (!was_writing && settle(stream)) return 0;
    file_of(stream);
    if (!has_buffer(stream)) return 0;
    stream->state = WRITING;
    veer_needs(from, size);
    size = veer_fixed(size);
    size_t room = was_writing ? STREAM_ROOM - stream->end : 0;
    taken = size < room ? size : room;
    veer_memcpy(stream->buffer + stream->end, from, taken);
    stream->end += taken;
    if (taken < size) {
        size_t left = size - taken, whole = left - left % STREAM_ROOM;
        if (stream->end && write_out(stream, stream->buffer, stream->end)) return taken;
        stream->end = 0;
        if (whole && write_out(stream, from + taken, whole)) return taken;
        veer_memcpy(stream->buffer, from + taken + whole, left - whole);
        stream->end = left - whole;
    }
    int is_out = stream->buffering == _IONBF;
    for (size_t k = 0; stream->buffering == _IOLBF && k < size && !is_out; k++) is_out = from[k] == '\n';
    if (is_out) return settle(stream) ? 0 : size;
    return size;
}

size_t veer_put_bytes(FILE *stream, const void *from, size_t size) { return put(own(stream), from, size); }

/* -- open and close --------------------------------------------------------------------------------------------------- */

/* What a mode asks of open; -1 when it is none. */
static int flags_of(const char *mode) {
    int flags = mode[0] == 'r' ? O_RDONLY : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : mode[0] == 'a' ? O_WRONLY | O_CREAT | O_APPEND : -1;
    if (flags < 0) {
        errno = EINVAL;
        return -1;
    }
    for (const char *s = mode + 1; *s && *s != ','; s++) {
        if (*s == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
        else if (*s == 'x') flags |= O_EXCL;
        else if (*s == 'e') flags |= O_CLOEXEC;
    }
    return flags;
}

static FILE *begin(struct stream *stream, int number, int flags) {
    int access = flags & O_ACCMODE;
    unsigned char *buffer = stream->buffer;
    *stream = (struct stream){.state = IDLE, .number = number, .can_read = access != O_WRONLY, .can_write = access != O_RDONLY, .appends = (flags & O_APPEND) != 0, .buffer = buffer, .pushed = NO_CHARACTER};
    return (FILE *)stream;
}

/* Where a stream that only appends begins. */
static void seek_end(FILE *stream) {
    struct stream *found = own(stream);
    if (found->appends && !found->can_read) veer_seek(file_of(found), 0, SEEK_END);
}

FILE *veer_stream_on(int number, const char *mode) {
    struct stream *stream = veer_streams + 1;
    while (stream < veer_streams + MOST_STREAMS && stream->state != FRESH) stream++;
    if (stream == veer_streams + MOST_STREAMS) stream = veer_streams + 1;
    while (stream < veer_streams + MOST_STREAMS && stream->state > CLOSED) stream++;
    if (stream == veer_streams + MOST_STREAMS) veer_refuse("more streams than veer follows");
    return begin(stream, number, flags_of(mode));
}

FILE *veer_libc_fopen(const char *name, const char *mode) {
    int flags = flags_of(mode), number;
    if (flags < 0) return NULL;
    number = veer_libc_open(name, flags, 0666);
    if (number < 0) return NULL;
    FILE *made = veer_stream_on(number, mode);
    veer_stream_begins(made, sizeof(struct stream));
    seek_end(made);
    return made;
}

FILE *veer_libc_fdopen(int number, const char *mode) {
    int flags = flags_of(mode);
    if (flags < 0) return NULL;
    struct description *file = veer_description(number);
    if (!file) return NULL;
    if (file->node->kind == OUTSIDE) veer_refuse("a stream is made on standard output");
    int access = file->flags & O_ACCMODE;
    if (access != O_RDWR && access != (flags & O_ACCMODE)) {
        errno = EINVAL;
        return NULL;
    }
    FILE *made = veer_stream_on(number, mode);
    veer_stream_begins(made, sizeof(struct stream));
    if ((flags & O_APPEND) && !(file->flags & O_APPEND)) {
        if (file->held) veer_refuse("two streams use one open file");
        file->flags |= O_APPEND;
        seek_end(made);
    }
    return made;
}

int veer_libc_fclose(FILE *stream) {
    struct stream *found = own(stream);
    if (!found) return is_standard(stream) ? fflush(stream) : fclose(stream);
    int result = settle(found);
    reads_no_more(found);
    struct description *file = veer_description(found->number);
    if (file && file->held == number_of(found)) file->held = 0;
    if (veer_libc_close(found->number)) result = EOF;
    if (found->buffer) veer_free(found->buffer);
    *found = (struct stream){.state = CLOSED};
    veer_stream_ends(stream);
    return result;
}

FILE *veer_libc_freopen(const char *name, const char *mode, FILE *stream) {
    struct stream *found = own(stream);
    int flags = flags_of(mode);
    if (!found || !name || flags < 0) veer_refuse("freopen of standard output, or without a name");
    settle(found);
    reads_no_more(found);
    struct description *file = veer_description(found->number);
    if (file) file->held = 0;
    veer_libc_close(found->number);
    found->number = veer_libc_open(name, flags, 0666);
    if (found->number >= 0) {
        begin(found, found->number, flags);
        seek_end(stream);
        return stream;
    }
    found->number = -1; /* the FILE is still there, on no file */
    found->state = IDLE;
    return NULL;
}

/* -- reading ---------------------------------------------------------------------------------------------------------- */

int veer_libc_fgetc(FILE *stream) {
    struct stream *found = own(stream);
    return found ? take(found) : fgetc(stream);
}

int veer_libc_getc(FILE *stream) { return veer_libc_fgetc(stream); }
int veer_libc_getc_unlocked(FILE *stream) { return veer_libc_fgetc(stream); }
int veer_libc_fgetc_unlocked(FILE *stream) { return veer_libc_fgetc(stream); }
int veer_libc_getchar(void) { return take(&veer_streams[0]); }
int veer_libc_getchar_unlocked(void) { return take(&veer_streams[0]); }

static int byte_before(const struct stream *stream) {
    return stream->whole ? stream->whole[stream->next - 1] : stream->buffer[stream->next - 1];
}

/* What was just read is read once more, however often; of others glibc takes back one for sure, and so does this. */
int veer_libc_ungetc(int c, FILE *stream) {
    struct stream *found = own(stream);
    if (!found) return ungetc(c, stream);
    if (c == EOF) return EOF;
    if (found->pushed != NO_CHARACTER) veer_refuse("a second character is put back that was not read");
    if (found->state == READING && found->next > found->first && byte_before(found) == (unsigned char)c) {
        found->at_end = 0;
        found->next--;
        return (unsigned char)c;
    }
    if (!found->can_read || found->state == WRITING) veer_refuse("ungetc of what was not read");
    found->at_end = 0;
    return found->pushed = (unsigned char)c;
}

/* -- places and states ------------------------------------------------------------------------------------------------ */

int veer_libc_feof(FILE *stream) {
    struct stream *found = own(stream);
    return found ? found->at_end : feof(stream);
}

int veer_libc_ferror(FILE *stream) {
    struct stream *found = own(stream);
    return found ? found->has_error : ferror(stream);
}

void veer_libc_clearerr(FILE *stream) {
    struct stream *found = own(stream);
    if (found) found->at_end = found->has_error = 0;
    else clearerr(stream);
}

int veer_libc_fileno(FILE *stream) {
    struct stream *found = own(stream);
    return found ? found->number : fileno(stream);
}

long veer_libc_ftell(FILE *stream) {
    struct stream *found = own(stream);
    if (is_standard(stream)) veer_refuse("a place in standard output is asked for");
    if (!found) return ftell(stream);
    struct description *file = file_of(found);
    if (!file) return -1;
    if (found->pushed != NO_CHARACTER && found->next == 0) veer_refuse("a place is asked for behind ungetc");
    if (file->node->kind == NOTHING_THERE) veer_refuse("a place in /dev/null is asked for");
    if (found->state == WRITING && found->end && found->appends) return (long)(veer_fixed(file->node->size) + found->end);
    if (veer_seek(file, 0, SEEK_CUR) < 0) return -1;
    long ahead = (long)found->end - (long)found->next;
    long place = (long)file->position + (found->state == WRITING ? ahead : found->state == READING ? -ahead : 0);
    return place - (found->pushed != NO_CHARACTER);
}

int veer_libc_fseek(FILE *stream, long offset, int origin) {
    struct stream *found = own(stream);
    if (is_standard(stream)) veer_refuse("a place in standard output is sought");
    if (!found) return fseek(stream, offset, origin);
    if (settle(found)) return -1;
    if (found->pushed != NO_CHARACTER && origin == SEEK_CUR) offset--;
    found->pushed = NO_CHARACTER;
    struct description *file = file_of(found);
    if (file && file->node->kind == NOTHING_THERE) veer_refuse("a place in /dev/null is sought");
    if (!file || veer_seek(file, offset, origin) < 0) return -1;
    if (file->position > file->node->size && veer_is_symbolic(file->position)) veer_refuse("an input says how far behind the end of a file is sought");
    file->position = veer_fixed(file->position);
    reads(found, file->node);
    found->at_end = 0;
    return 0;
}

int veer_libc_fseeko(FILE *stream, off_t offset, int origin) { return veer_libc_fseek(stream, offset, origin); }
off_t veer_libc_ftello(FILE *stream) { return veer_libc_ftell(stream); }

void veer_libc_rewind(FILE *stream) {
    if (!own(stream)) {
        rewind(stream);
        return;
    }
    veer_libc_fseek(stream, 0, SEEK_SET);
    own(stream)->has_error = 0;
}

int veer_libc_fflush(FILE *stream) {
    struct stream *found = own(stream);
    int result = 0;
    if (stream && !found) return fflush(stream);
    if (found) return flush(found);
    for (struct stream *each = veer_streams; each < veer_streams + MOST_STREAMS; each++)
        if (each->state == WRITING && flush(each)) result = EOF;
    return result;
}

int veer_libc_setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    struct stream *found = own(stream);
    if (!found && is_standard(stream)) return mode == _IOFBF || mode == _IOLBF || mode == _IONBF ? 0 : -1;
    if (!found) return setvbuf(stream, buffer, mode, size);
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) return -1;
    struct description *file = veer_description(found->number);
    if (found->state != IDLE || (file && file->held == number_of(found))) veer_refuse("setvbuf behind the first use of a stream");
    found->buffering = mode;
    return 0;
}

void veer_libc_setbuf(FILE *stream, char *buffer) { veer_libc_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ); }
void veer_libc_setlinebuf(FILE *stream) { veer_libc_setvbuf(stream, NULL, _IOLBF, 0); }
