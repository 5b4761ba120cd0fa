/* The harness interfaces of KLEE (klee/klee.h), Test-Comp (__VERIFIER_*) and veer (veer.h), on top of veer_harness.h. Making an object
   symbolic (klee_make_symbolic, veer_input) is no function here: the instrumenter turns it into veer_make_symbolic. */
#include <stddef.h>
#include <stdint.h>

#include "veer_harness.h"
#include "veer_runtime.h"

/* -- KLEE ---------------------------------------------------------------------------------------------------- */

void veer_libc_klee_assume(uintptr_t condition) { veer_assume(condition != 0); }

void veer_libc_klee_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    (void)condition;
}

void veer_libc_klee_posix_prefer_cex(void *object, uintptr_t condition) { veer_libc_klee_prefer_cex(object, condition); }

void veer_libc_klee_silent_exit(int status) { veer_silent_exit(status); }

void veer_libc_klee_abort(void) { veer_error("klee_abort"); }

void veer_libc_klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    (void)file;
    (void)line;
    (void)suffix;
    veer_error(message);
}

unsigned veer_libc_klee_is_symbolic(uintptr_t value) { return veer_is_symbolic(value); }

unsigned veer_libc_klee_is_replay(void) { return 0; }

int veer_libc_klee_int(const char *name) {
    static const struct veer_type type = {.id = UINT32_MAX, .kind = VEER_TYPE_SIGNED, .size = 4, .alignment = 4};
    int value = 0;
    veer_make(&value, &type, name);
    return value;
}

/* A value in begin .. end - 1. */
int veer_libc_klee_range(int begin, int end, const char *name) {
    int value = veer_libc_klee_int(name);
    veer_assume(value >= begin);
    veer_assume(value < end);
    return value;
}

uintptr_t veer_libc_klee_choose(uintptr_t count) { return veer_choose(count, "klee_choose"); }

void veer_libc_klee_warning(const char *message) { (void)message; }
void veer_libc_klee_warning_once(const char *message) { (void)message; }
void veer_libc_klee_stack_trace(void) {}
void veer_libc_klee_set_forking(unsigned enable) { (void)enable; }
void veer_libc_klee_open_merge(void) {}
void veer_libc_klee_close_merge(void) {}
void veer_libc_klee_mark_global(void *object) { (void)object; }

/* Both ends are read, so that bounds are checked as for any access. */
void veer_libc_klee_check_memory_access(const void *address, size_t size) {
    volatile const char *bytes = address;
    if (size == 0) return;
    (void)bytes[0];
    (void)bytes[size - 1];
}

/* The concrete value, as KLEE gives it: fixed for this run, other values are explored. */
int32_t veer_libc_klee_get_value_i32(int32_t value) { return value; }
int64_t veer_libc_klee_get_value_i64(int64_t value) { return value; }
long veer_libc_klee_get_valuel(long value) { return value; }

/* -- Test-Comp ----------------------------------------------------------------------------------------------- */

#define NONDET(NAME, TYPE, KIND, LOW, HIGH)                                                                     \
    TYPE veer_libc___VERIFIER_nondet_##NAME(void) {                                                             \
        static const struct veer_type type = {.id = UINT32_MAX, .kind = KIND, .size = sizeof(TYPE),             \
                                              .alignment = sizeof(TYPE), .low = LOW, .high = HIGH};             \
        TYPE value = 0;                                                                                         \
        veer_make(&value, &type, "nondet_" #NAME);                                                              \
        return value;                                                                                           \
    }

NONDET(bool, _Bool, VEER_TYPE_BOOL, 0, 1)
NONDET(char, char, VEER_TYPE_CHAR, 0, 0)
NONDET(schar, signed char, VEER_TYPE_SIGNED, 0, 0)
NONDET(uchar, unsigned char, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(short, short, VEER_TYPE_SIGNED, 0, 0)
NONDET(ushort, unsigned short, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(int, int, VEER_TYPE_SIGNED, 0, 0)
NONDET(uint, unsigned, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(unsigned, unsigned, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(unsigned_int, unsigned, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(unsigned_char, unsigned char, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(long, long, VEER_TYPE_SIGNED, 0, 0)
NONDET(ulong, unsigned long, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(longlong, long long, VEER_TYPE_SIGNED, 0, 0)
NONDET(ulonglong, unsigned long long, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(u8, uint8_t, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(u16, uint16_t, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(u32, uint32_t, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(u64, uint64_t, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(S8, int8_t, VEER_TYPE_SIGNED, 0, 0)
NONDET(U8, uint8_t, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(U16, uint16_t, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(U32, uint32_t, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(size_t, size_t, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(loff_t, long, VEER_TYPE_SIGNED, 0, 0)
NONDET(sector_t, unsigned long, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(pthread_t, unsigned long, VEER_TYPE_UNSIGNED, 0, 0)
NONDET(float, float, VEER_TYPE_FLOAT, 0, 0)
NONDET(double, double, VEER_TYPE_FLOAT, 0, 0)

/* NULL, or a block of bytes of its own. */
void *veer_libc___VERIFIER_nondet_pointer(void) {
    static const struct veer_type bytes = {.id = UINT32_MAX, .kind = VEER_TYPE_OPAQUE, .maximum = 8};
    static const struct veer_type type = {.id = UINT32_MAX, .kind = VEER_TYPE_POINTER, .nullable = 1, .extent = VEER_EXTENT_FIXED,
                                          .size = 8, .maximum = 8, .alignment = 8, .target = &bytes};
    void *value = NULL;
    veer_make(&value, &type, "nondet_pointer");
    return value;
}

void *veer_libc___VERIFIER_nondet_voidp(void) { return veer_libc___VERIFIER_nondet_pointer(); }
char *veer_libc___VERIFIER_nondet_pchar(void) { return veer_libc___VERIFIER_nondet_pointer(); }

void veer_libc___VERIFIER_nondet_memory(void *object, size_t size) { veer_make_symbolic(object, size, "nondet_memory", 1); }

void veer_libc___VERIFIER_assume(int condition) { veer_assume(condition); }
void veer_libc___VERIFIER_assert(int condition) { veer_assert(condition, "__VERIFIER_assert"); }
void veer_libc___VERIFIER_error(void) { veer_error("__VERIFIER_error"); }
void veer_libc_reach_error(void) { veer_error("reach_error"); }
