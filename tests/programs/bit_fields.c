// entry: flags
// input: unsigned char raw: all
// about: bit-fields, signed and unsigned, through a union
union packed { unsigned char raw; struct { unsigned low : 3; signed middle : 2; unsigned high : 3; } part; };
int flags(unsigned char raw) {
    union packed p;
    p.raw = raw;
    if (p.part.middle < 0)
        return p.part.low;
    p.part.high = p.part.low;
    return p.part.high > 5 ? 20 : 10 + p.part.middle;
}
