// entry: scan
// input: unsigned char a: all
// input: unsigned char b: all
// claim: paths
// about: a state machine driven by a table of 256 classes and one of states
static const unsigned char class_of[256] = {
    [' '] = 1, ['0' ... '9'] = 2, ['a' ... 'z'] = 3, ['A' ... 'Z'] = 3, ['_'] = 3, ['+'] = 4, ['-'] = 4, [128 ... 255] = 5,
};
static const unsigned char next_state[8][8] = {
    {7, 0, 1, 2, 3, 7}, {7, 4, 1, 7, 3, 7}, {7, 4, 2, 2, 3, 2}, {7, 0, 1, 2, 7, 7}, {0}, {0}, {0}, {7, 7, 7, 7, 7, 7, 7, 7},
};
int scan(unsigned char a, unsigned char b) {
    unsigned state = next_state[0][class_of[a]];
    if (state == 7)
        return -1;
    state = next_state[state][class_of[b]];
    switch (state) {
    case 1: return 1;
    case 2: return 2;
    case 3: return 3;
    case 4: return 4;
    default: return 0;
    }
}
