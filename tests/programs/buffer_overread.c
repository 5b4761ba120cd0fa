// entry: last
// input: const unsigned char *data: buffer n 3 of 0..2
// input: unsigned n: 0..3
// option: max_length=3
// outcomes: returned out-of-bounds-read null-dereference
// about: an empty buffer has no last element; n is unsigned, so n - 1 wraps
/* veer: nullable(data) */
int last(const unsigned char *data, unsigned n) {
    return data[n ? n - 1 : 0] > 1;
}
