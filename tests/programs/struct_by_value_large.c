// entry: pick
// input: signed char x: all
// input: signed char y: -1..1
// about: a struct that is passed and returned in memory is a copy with its constraints
struct large { long pad[3]; signed char x, y; int sum; };
static struct large changed(struct large given, int by) {
    given.sum = given.x + by * given.y;
    given.x = 99;
    return given;
}
int pick(signed char x, signed char y) {
    struct large first = {{1, 2, 3}, x, y, 0};
    struct large second = changed(first, 10);
    if (second.sum == 42)
        return 1;
    if (first.x == 99 && second.x == 99)
        return 2;
    return second.sum < -100 ? 3 : 0;
}
