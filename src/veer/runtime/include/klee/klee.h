/* KLEE's harness interface, as far as veer gives it a meaning, so that harnesses written for KLEE run unchanged. */
#ifndef KLEE_H
#define KLEE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
void klee_make_symbolic(void *object, size_t size, const char *name);
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix) __attribute__((noreturn));
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);
uintptr_t klee_choose(uintptr_t count);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_stack_trace(void);
void klee_set_forking(unsigned enable);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_mark_global(void *object);
void klee_check_memory_access(const void *address, size_t size);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
long klee_get_valuel(long value);
#define klee_assert(condition) \
    ((condition) ? (void)0 : klee_report_error(__FILE__, __LINE__, "assertion failed: " #condition, "assert"))
#ifdef __cplusplus
}
#endif
#endif
