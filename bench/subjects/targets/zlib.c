/* A fuzz target: inflate of what has a header of gzip or zlib, with its check values. */
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned char out[256];
    z_stream stream = {0};
    if (inflateInit2(&stream, 47) != Z_OK) return 0;
    stream.next_in = (unsigned char *)data;
    stream.avail_in = (unsigned)size;
    do {
        stream.next_out = out;
        stream.avail_out = sizeof out;
    } while (inflate(&stream, Z_NO_FLUSH) == Z_OK && stream.total_out < 1 << 16);
    inflateEnd(&stream);
    return 0;
}
