// entry: unlock
// input: unsigned char a: all
// input: unsigned char b: all
// claim: paths
// paths: 3
// about: a substitution with a table made at run time; only one key opens
int unlock(unsigned char a, unsigned char b) {
    unsigned char box[256];
    for (int k = 0; k < 256; k++)
        box[k] = (unsigned char)(k * 167 + 13);
    unsigned char first = box[a ^ 0x5a], second = box[(unsigned char)(b + first)];
    if (first != 0x42)
        return 0;
    return second == 0x99 ? 2 : 1;
}
