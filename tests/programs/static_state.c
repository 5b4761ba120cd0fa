// entry: tick
// input: unsigned char x: all
// about: static state and globals are as at the start in every run
static int calls;
int high_water = 3;
int tick(unsigned char x) {
    static int seen = 1;
    calls++;
    if (calls != 1 || seen != 1)
        return -1;
    seen += x;
    if (x > high_water) {
        high_water = x;
        return seen > 200 ? 2 : 1;
    }
    return 0;
}
