/* A lift whose door must be closed when its motor runs: examples/lift.spec. */
static int door, speed;

static void door_open(void) { door = 1; }
static void door_close(void) { door = 0; }
static void motor_on(int s) { speed = s; }

/* One request: from this floor to that one, with so many people. */
int run(int from, int to, int people)
{
    door_open();
    if (people > 8)
        return -1;
    if (people < 0 || from == to)
        people = 0;
    else if (people > 0)
        door_close();
    motor_on(to - from);
    return people;
}
