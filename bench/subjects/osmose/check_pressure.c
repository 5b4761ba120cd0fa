/* After OSMOSE's "check-pressure": 10 branches, 3 functions, call depth 1. A sensor is read twice and compared. */

static int clamp(int reading, int top) {
    if (reading < 0)
        return 0;
    return reading > top ? top : reading;
}

static int is_steady(int before, int now) {
    int change = now - before;
    return change > -10 && change < 10;
}

int check_pressure(int before, int now) {
    int first = clamp(before, 1000), second = clamp(now, 1000);
    if (!is_steady(first, second))
        return -1;
    if (second > 900)
        return -2;
    return second;
}
