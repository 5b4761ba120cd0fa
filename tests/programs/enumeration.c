// entry: next
// input: enum light now: 0..3
// input: unsigned char seconds: all
// about: a state machine over an enum; veer also tries values that no enumerator has
enum light { RED, YELLOW, GREEN };
int next(enum light now, unsigned char seconds) {
    switch (now) {
    case RED:
        return seconds > 30 ? GREEN : RED;
    case YELLOW:
        return seconds > 3 ? RED : YELLOW;
    case GREEN:
        return seconds > 40 ? YELLOW : GREEN;
    }
    return -1;
}
