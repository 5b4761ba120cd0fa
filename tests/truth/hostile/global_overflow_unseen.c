// entry: spill
// option: no_check=array-bounds
// option: uninstrumented=smash
// outcomes: returned|killed|wild-pointer|out-of-bounds-write|capacity
// about: the same in code that veer cannot see: whatever happens, the other paths are found
static char buffer[16];
void smash(char *to, int n) {
    for (int i = 0; i < n; i++)
        to[i] = 0x55;
}
int spill(unsigned char x) {
    if (x == 200)
        smash(buffer, 16 + 4096);
    if (x > 100)
        return buffer[0];
    if (x == 3)
        return 5;
    return 6;
}
