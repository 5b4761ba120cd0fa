/* inflate on at most SIZE bytes of a raw deflate stream, with room for 64 bytes of output. */
#include "zlib.h"
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    unsigned char in[SIZE], out[64];
    z_stream stream = {0};
    klee_make_symbolic(in, SIZE, "in");
    if (inflateInit2(&stream, -15) != Z_OK) return -1;
    stream.next_in = in;
    stream.avail_in = SIZE;
    stream.next_out = out;
    stream.avail_out = sizeof out;
    int ended = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return ended == Z_STREAM_END ? (int)stream.total_out : ended;
}
