/* What tests written by veer have in common: inputs, comparisons, mocks, files, what runs the tests. This file is the same for all units;
   a test file asks for the parts of it that it uses (VEER_INPUTS, VEER_MOCKS, ...) ahead of its #include, behind that of the unit. It
   includes no header of the C library, so that no macro of the unit is in its way. Do not edit: veer writes it anew. */
#ifndef VEER_SUPPORT_H
#define VEER_SUPPORT_H
{{ before }}
#ifndef NULL
#define NULL ((void *)0)
#endif
#define VEER_UNUSED __attribute__((__unused__))

/* VEER_LIBRARY(close, int, libc_close, (int)): a function of the C library under a name that cannot clash with those of the unit. Where the
   unit has a function close of its own, the test file defines VEER_HIDES_close as `~,`; then the library's is looked up behind the
   executable, before main. */
#define VEER_LIBRARY(symbol, result, name, parameters) \
    VEER_SECOND(VEER_HIDES_##symbol VEER_LOOKED_UP, VEER_DECLARED, ~)(#symbol, result, name, parameters)
#define VEER_SECOND(...) VEER_SECOND_OF(__VA_ARGS__)
#define VEER_SECOND_OF(first, second, ...) second
#define VEER_DECLARED(symbol, result, name, parameters) extern result name parameters __asm__(symbol);
#define VEER_LOOKED_UP(symbol, result, name, parameters) \
    VEER_UNUSED static result (*name) parameters; \
    __attribute__((__constructor__)) static void veer_look_up_##name(void) \
    { \
        extern void *libc_dlsym(void *, const char *) __asm__("dlsym"); \
        name = (result (*) parameters)libc_dlsym((void *)-1, symbol); /* RTLD_NEXT */ \
    }

{{ body.rstrip() }}

#endif
