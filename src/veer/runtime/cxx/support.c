/* What a program in C++ needs of its library where it throws nothing and uses none of its headers' code: memory, and the
   names that classes with virtual functions refer to (Itanium C++ ABI, 2.9.5 and 3.3).

   Nothing here throws: where libc++ would, the program ends, as it does there without a handler. A program that has a
   handler needs more names than these, and gets libc++. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

static void *block(size_t size) { return malloc(size ? size : 1); }

static void *block_or_end(size_t size) {
    void *made = block(size);
    if (!made) abort();
    return made;
}

/* operator new and new[], plainly and with std::nothrow. */
WEAK void *_Znwm(size_t size) { return block_or_end(size); }
WEAK void *_Znam(size_t size) { return block_or_end(size); }
WEAK void *_ZnwmRKSt9nothrow_t(size_t size, const void *tag) { return (void)tag, block(size); }
WEAK void *_ZnamRKSt9nothrow_t(size_t size, const void *tag) { return (void)tag, block(size); }
WEAK const char _ZSt7nothrow = 0;

/* operator delete and delete[], with and without the size, and what ends a failed new with std::nothrow. */
WEAK void _ZdlPv(void *made) { free(made); }
WEAK void _ZdaPv(void *made) { free(made); }
WEAK void _ZdlPvm(void *made, size_t size) { (void)size, free(made); }
WEAK void _ZdaPvm(void *made, size_t size) { (void)size, free(made); }
WEAK void _ZdlPvRKSt9nothrow_t(void *made, const void *tag) { (void)tag, free(made); }
WEAK void _ZdaPvRKSt9nothrow_t(void *made, const void *tag) { (void)tag, free(made); }

/* The tables of std::type_info's three classes for classes: only their address is used without dynamic_cast. */
WEAK const uintptr_t _ZTVN10__cxxabiv117__class_type_infoE[16] = {0};
WEAK const uintptr_t _ZTVN10__cxxabiv120__si_class_type_infoE[16] = {0};
WEAK const uintptr_t _ZTVN10__cxxabiv121__vmi_class_type_infoE[16] = {0};

/* A virtual function without a body, and the length of an array that is negative or too large. */
WEAK void __cxa_pure_virtual(void) { abort(); }
WEAK void __cxa_deleted_virtual(void) { abort(); }
WEAK void __cxa_throw_bad_array_new_length(void) { abort(); }

/* What cleans up while an exception passes: none does. */
WEAK int __gxx_personality_v0(void) { abort(); }
WEAK void _Unwind_Resume(void *exception) { (void)exception, abort(); }
