/* LZ4_decompress_safe on at most SIZE bytes, with room for 64 bytes of output, and a part of it. */
#include "lz4.h"
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    char in[SIZE], out[64];
    klee_make_symbolic(in, SIZE, "in");
    int whole = LZ4_decompress_safe(in, out, SIZE, sizeof out);
    return whole + LZ4_decompress_safe_partial(in, out, SIZE, 16, sizeof out);
}
