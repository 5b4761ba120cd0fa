// entry: low
// input: union word w: .whole=0 1 255 256 513 65536 4278190080
// about: bytes of an int through a union
union word { unsigned whole; unsigned char part[4]; };
int low(union word w) {
    if (w.part[0] == 1)
        return w.part[1] == 2 ? 3 : 1;
    return w.part[3] == 0xff;
}
