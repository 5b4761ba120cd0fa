/* Library functions that programs call, with every access checked; the rewriter redirects the calls to these. */
#include "brute.h"
#include <string.h>

void *bf_malloc(size_t size);
void *bf_calloc(size_t count, size_t size);
void *bf_realloc(void *old, size_t size);
void bf_free(void *object);
size_t bf_strlen(const char *s);
int bf_strcmp(const char *a, const char *b);
int bf_strncmp(const char *a, const char *b, size_t n);
char *bf_strchr(const char *s, int c);
char *bf_strcpy(char *to, const char *from);
int bf_memcmp(const void *a, const void *b, size_t n);
void *bf_memchr(const void *s, int c, size_t n);
void *bf_memcpy(void *to, const void *from, size_t n);
void *bf_memset(void *to, int value, size_t n);
_Noreturn void bf_exit(int code);
_Noreturn void bf_abort(void);
_Noreturn void bf_assert_fail(const char *text, const char *file, unsigned line, const char *function);

static unsigned char byte_at(const void *address) {
    bf_library_access(address, 1, 0);
    return *(const unsigned char *)address;
}

void *bf_malloc(size_t size) {
    return bf_new_object(size);
}

void *bf_calloc(size_t count, size_t size) {
    return bf_new_object(count * size);
}

void *bf_realloc(void *old, size_t size) {
    size_t before = old ? bf_object_size(old) : 0;
    void *new = bf_new_object(size);
    if (old && new) {
        memcpy(new, old, before < size ? before : size);
        bf_free_object(old);
    }
    return new;
}

void bf_free(void *object) {
    bf_free_object(object);
}

size_t bf_strlen(const char *s) {
    size_t n = 0;
    while (byte_at(s + n))
        n++;
    return n;
}

int bf_strncmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned char x = byte_at(a + i), y = byte_at(b + i);
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            break;
    }
    return 0;
}

int bf_strcmp(const char *a, const char *b) {
    return bf_strncmp(a, b, (size_t)-1);
}

char *bf_strchr(const char *s, int c) {
    for (;; s++) {
        unsigned char x = byte_at(s);
        if (x == (unsigned char)c)
            return (char *)s;
        if (!x)
            return NULL;
    }
}

char *bf_strcpy(char *to, const char *from) {
    size_t n = bf_strlen(from) + 1;
    bf_library_access(to, n, 1);
    return memcpy(to, from, n);
}

int bf_memcmp(const void *a, const void *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned char x = byte_at((const char *)a + i), y = byte_at((const char *)b + i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

void *bf_memchr(const void *s, int c, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (byte_at((const char *)s + i) == (unsigned char)c)
            return (char *)s + i;
    return NULL;
}

void *bf_memcpy(void *to, const void *from, size_t n) {
    bf_library_access(from, n, 0);
    bf_library_access(to, n, 1);
    return memcpy(to, from, n);
}

void *bf_memset(void *to, int value, size_t n) {
    bf_library_access(to, n, 1);
    return memset(to, value, n);
}

_Noreturn void bf_exit(int code) {
    bf_result(&code, sizeof code);
    bf_end(BF_EXITED);
}

_Noreturn void bf_abort(void) {
    bf_end(BF_ABORT);
}

_Noreturn void bf_assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)text, (void)file, (void)line, (void)function;
    bf_end(BF_ASSERTION);
}
