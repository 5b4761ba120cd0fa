/* What is known of uninstrumented functions of the C library. */
#ifndef VEER_LIBRARY_FACTS_H
#define VEER_LIBRARY_FACTS_H
#include <stdint.h>

enum veer_fact {
    VEER_OUTPUT_ONLY = 1,
    VEER_READER = 2,
    VEER_SHALLOW = 4,
    VEER_FORBIDDEN = 8,
    VEER_HANDLERS = 16,
    VEER_KILLS = 32,
    VEER_RAISES = 64,
    VEER_MATHEMATICAL = 128,
    VEER_TO_A_STREAM = 512,      /* output, to a stream among the arguments */
    VEER_TO_A_DESCRIPTOR = 1024, /* output, to the first argument */
    VEER_FLOAT_ENVIRONMENT = 2048,
    VEER_TAKES_LIST = 4096, /* output: its last two arguments are a format and a va_list */
    VEER_ANSWERS = 256 /* of this call: the program computes with the result */
};

uint32_t veer_library_facts(const char *name);
#endif
