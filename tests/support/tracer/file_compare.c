/* Random sequences of calls about files: veer's own files against the machine's, call by call: results, errno, bytes. Arguments: a directory
   to work in, how many sequences, a seed. Each sequence has a process of its own; the model is asked first, for what it refuses may block. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libc_compare.h"
#include "veer_harness.h"

#define EACH(CALL)                                                                                                          \
    CALL(int, open, (const char *, int, ...)) CALL(int, creat, (const char *, mode_t)) CALL(int, close, (int))               \
    CALL(int, pipe, (int *)) CALL(int, dup, (int)) CALL(int, dup2, (int, int)) CALL(int, fcntl, (int, int, ...))              \
    CALL(ssize_t, read, (int, void *, size_t)) CALL(ssize_t, write, (int, const void *, size_t))                              \
    CALL(ssize_t, pread, (int, void *, size_t, off_t)) CALL(ssize_t, pwrite, (int, const void *, size_t, off_t))              \
    CALL(off_t, lseek, (int, off_t, int)) CALL(int, ftruncate, (int, off_t)) CALL(int, truncate, (const char *, off_t))       \
    CALL(int, fstat, (int, struct stat *)) CALL(int, stat, (const char *, struct stat *)) CALL(int, isatty, (int))            \
    CALL(int, access, (const char *, int)) CALL(int, unlink, (const char *)) CALL(int, rename, (const char *, const char *))  \
    CALL(int, fsync, (int)) CALL(int, fchmod, (int, mode_t)) CALL(FILE *, fopen, (const char *, const char *)) CALL(FILE *, fdopen, (int, const char *))       \
    CALL(FILE *, tmpfile, (void)) CALL(int, fclose, (FILE *)) CALL(int, fgetc, (FILE *)) CALL(int, ungetc, (int, FILE *))      \
    CALL(char *, fgets, (char *, int, FILE *)) CALL(size_t, fread, (void *, size_t, size_t, FILE *))                          \
    CALL(int, fputc, (int, FILE *)) CALL(int, fputs, (const char *, FILE *))                                                  \
    CALL(size_t, fwrite, (const void *, size_t, size_t, FILE *)) CALL(int, fprintf, (FILE *, const char *, ...))              \
    CALL(int, fscanf, (FILE *, const char *, ...)) CALL(int, feof, (FILE *)) CALL(int, ferror, (FILE *))                      \
    CALL(void, clearerr, (FILE *)) CALL(long, ftell, (FILE *)) CALL(int, fseek, (FILE *, long, int))                          \
    CALL(void, rewind, (FILE *)) CALL(int, fflush, (FILE *)) CALL(int, fileno, (FILE *))                                      \
    CALL(int, setvbuf, (FILE *, char *, int, size_t)) CALL(FILE *, freopen, (const char *, const char *, FILE *))             \
    CALL(ssize_t, getline, (char **, size_t *, FILE *))
#define DECLARE(result, name, parameters) result veer_libc_##name parameters;
EACH(DECLARE)

enum { SAME, DIFFERENT, REFUSED };
enum { STREAMS = 4, STEPS = 60, MOST = 9000 };
static jmp_buf on_refusal;
static char trace[STEPS * 80];

void veer_refuse(const char *what) {
    (void)what;
    longjmp(on_refusal, 1);
}
void veer_used_behind_close(void) { abort(); }
void veer_stream_begins(const void *stream, unsigned long size) { (void)stream, (void)size; }
void veer_stream_ends(const void *stream) { (void)stream; }
uint32_t veer_is_symbolic(uint64_t value) {
    (void)value;
    return 0;
}
uint64_t veer_grown_bound(uint32_t bound, uint64_t number) {
    (void)bound;
    return number;
}
void veer_come_to_bound(uint32_t bound) { (void)bound; }
void veer_copy_text(char *to, const char *from, uint64_t size) { memcpy(to, from, size); }
uint64_t veer_text_length(const char *text, uint64_t most, int *is_constant) {
    *is_constant = 1;
    return strnlen(text, most);
}
int veer_may_be_name(const char *name) { return name != 0; }
int veer_is_same_text(const char *one, const char *other) { return strcmp(one, other) == 0; }
int veer_is_text(const char *text, const char *expected) { return strcmp(text, expected) == 0; }
void veer_needs(const void *place, uint64_t size) { (void)place, (void)size; }
void veer_make(void *cell, const struct veer_type *type, const char *name) { (void)cell, (void)type, (void)name; }
void veer_make_symbolic(void *cell, uint64_t size, const char *name, uint64_t element) { (void)cell, (void)size, (void)name, (void)element; }
long veer_read_double(const char *text, double *value) {
    (void)text, (void)value;
    return -1;
}
long veer_read_float(const char *text, float *value) {
    (void)text, (void)value;
    return -1;
}

int veer_defer_number(void *to, const void *value, uint32_t size, uint32_t number, void (*read)(uint32_t number), const char *text) {
    (void)to, (void)value, (void)size, (void)number, (void)read, (void)text;
    return 0;
}

static FILE *own[STREAMS], *machine[STREAMS];

static void note(const char *format, ...) {
    va_list list;
    size_t used = strlen(trace);
    va_start(list, format);
    vsnprintf(trace + used, sizeof trace - used, format, list);
    va_end(list);
}

static void differ(const char *what, long expected, long got) {
    printf("%s: %ld, not %ld, after%s\n", what, got, expected, trace);
    fflush(stdout);
    _exit(DIFFERENT);
}

static void same(const char *name, long got, int own_errno, long expected, int machine_errno) {
    if (got != expected) differ(name, expected, got);
    if (expected < 0 && own_errno != machine_errno) differ("errno", machine_errno, own_errno);
}

/* One call on both sides. */
#define BOTH(result_type, name, own_call, machine_call)                       \
    do {                                                                      \
        errno = 0;                                                            \
        result_type of_own = own_call;                                        \
        int own_errno = errno;                                                \
        errno = 0;                                                            \
        result_type of_machine = machine_call;                                \
        same(name, (long)of_own, own_errno, (long)of_machine, errno);         \
    } while (0)
#define CALL(name, ...) BOTH(long, #name, veer_libc_##name(__VA_ARGS__), name(__VA_ARGS__))

static void compare_bytes(const void *got, const void *expected, size_t size) {
    if (memcmp(got, expected, size)) differ("bytes", 0, 1);
}

static const char *const names[] = {"a", "b", "c", "./a", "", "/dev/null", NULL};
static unsigned char data[MOST], one[MOST], other[MOST];

static size_t draw_size(void) { return draw(20) ? draw(12) : draw(2) ? 4090 + draw(12) : draw(MOST); }

static void call_with_names(void) {
    const char *name = pick(names), *second = pick(names);
    struct stat status, expected;
    switch (draw(6)) {
    case 0: note(" access %s", name); CALL(access, name, R_OK); break;
    case 1:
        if (strcmp(name, "/dev/null") == 0) break;
        note(" unlink %s", name);
        CALL(unlink, name);
        break;
    case 2:
        if (name[0] == '/' || second[0] == '/') break;
        note(" rename %s %s", name, second);
        CALL(rename, name, second);
        break;
    case 3:
        note(" truncate %s", name);
        if (name[0] != '/') CALL(truncate, name, 7);
        break;
    default:
        note(" stat %s", name);
        BOTH(long, "stat", veer_libc_stat(name, &status), stat(name, &expected));
        if (access(name, F_OK) == 0 && name[0] != '/') {
            same("st_size", status.st_size, 0, expected.st_size, 0);
            same("st_mode", status.st_mode, 0, expected.st_mode, 0);
            same("st_nlink", (long)status.st_nlink, 0, (long)expected.st_nlink, 0);
        }
    }
}

static void call_with_numbers(void) {
    static const int flags[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC, O_RDWR | O_CREAT | O_EXCL, O_WRONLY | O_CREAT | O_APPEND, O_RDWR | O_APPEND, O_RDWR | O_TRUNC};
    int number = 3 + (int)draw(7), flag = flags[draw(9)], ends[2] = {0, 0}, expected_ends[2] = {0, 0};
    size_t size = draw_size();
    long place = (long)draw(14) - 2;
    int origin = (int)draw(3);
    struct stat status, expected;
    const char *name = pick(names);
    memset(one, 0, size), memset(other, 0, size);
    switch (draw(20)) {
    case 0:
    case 1:
    case 2: note(" open %s %o", name, flag); CALL(open, name, flag, 0644); break;
    case 3: note(" close %d", number); CALL(close, number); break;
    case 4:
        note(" pipe");
        BOTH(long, "pipe", veer_libc_pipe(ends), pipe(expected_ends));
        compare_bytes(ends, expected_ends, sizeof ends);
        break;
    case 5: note(" dup %d", number); CALL(dup, number); break;
    case 6: note(" dup2 %d", number); CALL(dup2, number, 3 + (int)(place + 2) % 7); break;
    case 7:
    case 8:
    case 9: note(" read %d %zu", number, size); BOTH(long, "read", veer_libc_read(number, one, size), read(number, other, size)); compare_bytes(one, other, size); break;
    case 10:
    case 11:
    case 12: note(" write %d %zu", number, size); CALL(write, number, data, size); break;
    case 13: note(" pread %d %ld", number, place); BOTH(long, "pread", veer_libc_pread(number, one, size, place), pread(number, other, size, place)); compare_bytes(one, other, size); break;
    case 14: note(" pwrite %d %ld", number, place); CALL(pwrite, number, data, size, place); break;
    case 15: note(" lseek %d %ld %d", number, place, origin); CALL(lseek, number, place, origin); break;
    case 16: note(" ftruncate %d %ld", number, place); CALL(ftruncate, number, place); break;
    case 17:
        note(" fstat %d", number);
        BOTH(long, "fstat", veer_libc_fstat(number, &status), fstat(number, &expected));
        if (fcntl(number, F_GETFD) >= 0 && !S_ISCHR(expected.st_mode)) {
            same("st_size", status.st_size, 0, expected.st_size, 0);
            same("st_mode", status.st_mode, 0, expected.st_mode, 0);
        }
        break;
    case 18: note(" isatty %d", number); CALL(isatty, number); break;
    default:
        note(" fcntl %d", number);
        CALL(fcntl, number, F_GETFD);
        BOTH(long, "flags", veer_libc_fcntl(number, F_GETFL) & (O_ACCMODE | O_APPEND), fcntl(number, F_GETFL) & (O_ACCMODE | O_APPEND));
        if (number == 5) CALL(fsync, number);
        if (number == 4 && fcntl(4, F_GETFD) >= 0) CALL(fchmod, number, 0600 + (mode_t)place % 8);
    }
}

static void open_stream(int k) {
    static const char *const modes[] = {"r", "w", "a", "r+", "w+", "a+", "wx", "rb", "z", NULL};
    const char *name = pick(names), *mode = pick(modes);
    int number = 3 + (int)draw(7), way = (int)draw(6);
    note(" %d=%s %s %s", k, way == 0 ? "tmpfile" : way == 1 ? "fdopen" : "fopen", name, mode);
    errno = 0;
    own[k] = way == 0 ? veer_libc_tmpfile() : way == 1 ? veer_libc_fdopen(number, mode) : veer_libc_fopen(name, mode);
    int own_errno = errno;
    errno = 0;
    machine[k] = way == 0 ? tmpfile() : way == 1 ? fdopen(number, mode) : fopen(name, mode);
    same("stream", own[k] ? 0 : -1, own_errno, machine[k] ? 0 : -1, errno);
    if (own[k]) BOTH(long, "fileno", veer_libc_fileno(own[k]), fileno(machine[k]));
}

#define ON(name, ...) BOTH(long, #name, veer_libc_##name(__VA_ARGS__ own[k]), name(__VA_ARGS__ machine[k]))

static void call_with_streams(void) {
    static const int origins[] = {SEEK_SET, SEEK_CUR, SEEK_END}, ways[] = {_IOFBF, _IONBF, _IOLBF};
    int k = (int)draw(STREAMS), number = 0, expected = 0, way = ways[draw(3)];
    size_t size = draw_size();
    if (!own[k]) {
        open_stream(k);
        return;
    }
    memset(one, 0, sizeof one), memset(other, 0, sizeof other);
    unsigned what = draw(22);
    note(" [%d]%u", k, what);
    switch (what) {
    case 0: ON(fgetc, ); break;
    case 1: BOTH(long, "fgetc", veer_libc_fgetc(own[k]), fgetc(machine[k])); ON(ungetc, 'u', ); break;
    case 2: ON(fputc, 'x', ); break;
    case 3: ON(fputs, "12 words\n", ); break;
    case 4: note("(%zu)", size); BOTH(long, "fwrite", veer_libc_fwrite(data, 1, size, own[k]), fwrite(data, 1, size, machine[k])); break;
    case 5: note("(%zu)", size); BOTH(long, "fread", veer_libc_fread(one, 1, size, own[k]), fread(other, 1, size, machine[k])); compare_bytes(one, other, size); break;
    case 6: BOTH(long, "fprintf", veer_libc_fprintf(own[k], "%d,%s\n", 42, "t"), fprintf(machine[k], "%d,%s\n", 42, "t")); break;
    case 7: BOTH(long, "fscanf", veer_libc_fscanf(own[k], "%d", &number), fscanf(machine[k], "%d", &expected)); same("scanned", number, 0, expected, 0); break;
    case 8: note("(%zu)", size); BOTH(long, "fgets", veer_libc_fgets((char *)one, (int)size + 1, own[k]) != NULL, fgets((char *)other, (int)size + 1, machine[k]) != NULL); compare_bytes(one, other, size); break;
    case 9:
    case 10: ON(feof, ); ON(ferror, ); break;
    case 11: veer_libc_clearerr(own[k]); clearerr(machine[k]); break;
    case 12:
    case 13: ON(ftell, ); break;
    case 14:
    case 15:
        way = origins[draw(3)];
        number = (int)draw(20) - 6;
        note("(%d,%d)", number, way);
        BOTH(long, "fseek", veer_libc_fseek(own[k], number, way), fseek(machine[k], number, way));
        break;
    case 16: veer_libc_rewind(own[k]); rewind(machine[k]); break;
    case 17: ON(fflush, ); break;
    case 18: BOTH(long, "setvbuf", veer_libc_setvbuf(own[k], NULL, way, 0), setvbuf(machine[k], NULL, way, 0)); break;
    default:
        ON(fclose, );
        own[k] = machine[k] = NULL;
    }
}

/* All files as descriptors see them; buffers are left where they are. */
static void compare_all(void) {
    for (const char *const *name = names; **name; name++) {
        int number = veer_libc_open(*name, O_RDONLY), expected = open(*name, O_RDONLY);
        note(" all:%s", *name);
        same("open", number, 0, expected, 0);
        if (number < 0) continue;
        memset(one, 0, sizeof one), memset(other, 0, sizeof other);
        same("size", veer_libc_read(number, one, sizeof one), 0, read(expected, other, sizeof other), 0);
        compare_bytes(one, other, sizeof one);
        veer_libc_close(number), close(expected);
    }
}

static int sequence(unsigned with_streams) {
    if (setjmp(on_refusal)) return REFUSED;
    for (int k = 0; k < STEPS; k++) {
        unsigned kind = draw(10);
        if (kind < 2) call_with_names();
        else if (kind < (with_streams ? 3 : 10)) call_with_numbers();
        else call_with_streams();
    }
    compare_all();
    for (int k = 0; k < STREAMS; k++)
        if (own[k]) ON(fclose, );
    compare_all();
    return SAME;
}

int main(int count, char **arguments) {
    int refused = 0, different = 0, sequences = count > 2 ? atoi(arguments[2]) : 0;
    if (count != 4 || chdir(arguments[1])) return 2;
    for (int k = 0; k < MOST; k++) data[k] = (unsigned char)("0123456789 \nabcdef"[k % 18]);
    for (int number = 3; number < 256; number++) close(number); /* numbers begin where they begin for a program */
    state += (uint64_t)atoi(arguments[3]) * 0x9e3779b97f4a7c15u;
    for (int k = 0; k < sequences; k++) {
        int status = 0;
        draw_bits();
        pid_t child = fork();
        if (child == 0) {
            unlink("a"), unlink("b"), unlink("c");
            state ^= (uint64_t)k << 20;
            for (int skip = 0; skip < 20; skip++) draw_bits();
            _exit(sequence((unsigned)k % 3));
        }
        waitpid(child, &status, 0);
        refused += WIFEXITED(status) && WEXITSTATUS(status) == REFUSED;
        if (!WIFEXITED(status)) printf("ended by signal %d\n", WTERMSIG(status));
        different += !WIFEXITED(status) || WEXITSTATUS(status) == DIFFERENT;
    }
    printf("%d sequences, %d refused, %d different\n", sequences, refused, different);
    return different != 0;
}
