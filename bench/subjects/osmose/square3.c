/* After OSMOSE's "square 3x3": is this a magic square? 46 branches in the paper, 1 function, call depth 0. */
#ifndef SIDE
#define SIDE 3
#endif

struct cells {
    unsigned char at[SIDE * SIDE];
};

int square(struct cells cells) {
    int seen = 0, goal = SIDE * (SIDE * SIDE + 1) / 2;
    for (int k = 0; k < SIDE * SIDE; k++) {
        if (cells.at[k] < 1 || cells.at[k] > SIDE * SIDE)
            return -1;
        if (seen >> cells.at[k] & 1)
            return -2;
        seen |= 1 << cells.at[k];
    }
    for (int row = 0; row < SIDE; row++) {
        int sum = 0;
        for (int column = 0; column < SIDE; column++)
            sum += cells.at[row * SIDE + column];
        if (sum != goal)
            return 1;
    }
    for (int column = 0; column < SIDE; column++) {
        int sum = 0;
        for (int row = 0; row < SIDE; row++)
            sum += cells.at[row * SIDE + column];
        if (sum != goal)
            return 2;
    }
    return 0;
}
