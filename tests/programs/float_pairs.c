// entry: corner
// input: signed char x: all
// input: signed char y: -2 0 2
// about: a struct of two floats travels in one vector register
struct point { float x, y; };
static struct point moved(struct point p, float by) { return (struct point){p.x + by, p.y * by}; }
int corner(signed char x, signed char y) {
    struct point p = moved((struct point){x, y}, 0.5f);
    if (p.x > 100.25f)
        return 1;
    if (p.y < 0)
        return p.x == -3.5f ? 2 : 3;
    return p.x < p.y;
}
