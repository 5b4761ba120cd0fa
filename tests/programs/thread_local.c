// entry: remember
// input: signed char x: all
// about: a variable of the thread's own carries what was stored there
static _Thread_local int last = 7;
static _Thread_local struct { short low, high; } pair;
static void keep(int x) { last += x; pair.high = (short)(x * 2); }
int remember(signed char x) {
    keep(x);
    if (last == 0)
        return 1;
    return pair.high > 200 ? 2 : last < 0;
}
