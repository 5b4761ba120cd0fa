/* After OSMOSE's "square 3x3": 46 branches, 1 function, call depth 0. Is this a magic square, and in which form? */
#ifndef SIDE
#define SIDE 3
#endif
enum { CELLS = SIDE * SIDE, GOAL = SIDE * (CELLS + 1) / 2 };

struct cells {
    unsigned char at[CELLS];
};

int square(struct cells cells) {
    for (int k = 0; k < CELLS; k++)
        if (cells.at[k] < 1 || cells.at[k] > CELLS)
            return -1;
    for (int k = 0; k < CELLS; k++)
        for (int other = 0; other < k; other++)
            if (cells.at[other] == cells.at[k])
                return -2;
    for (int row = 0; row < SIDE; row++) {
        int sum = 0;
        for (int column = 0; column < SIDE; column++)
            sum += cells.at[row * SIDE + column];
        if (sum != GOAL)
            return -3;
    }
    for (int column = 0; column < SIDE; column++) {
        int sum = 0;
        for (int row = 0; row < SIDE; row++)
            sum += cells.at[row * SIDE + column];
        if (sum != GOAL)
            return -4;
    }
    int falling = 0, rising = 0, diagonals = 0;
    for (int k = 0; k < SIDE; k++) {
        falling += cells.at[k * SIDE + k];
        rising += cells.at[k * SIDE + SIDE - 1 - k];
    }
    if (falling != GOAL || rising != GOAL)
        return 0;
    for (int start = 0; start < SIDE; start++) {
        int sum = 0;
        for (int k = 0; k < SIDE; k++)
            sum += cells.at[k * SIDE + (start + k) % SIDE];
        if (sum == GOAL)
            diagonals++;
    }
    if (cells.at[1] > cells.at[CELLS - 2])
        diagonals += SIDE + 1;
    /* Of a square's eight turned and mirrored forms one has its least corner first and its least side above. */
    if (cells.at[0] > cells.at[SIDE - 1])
        return 1;
    if (cells.at[0] > cells.at[CELLS - SIDE])
        return 1;
    if (cells.at[0] > cells.at[CELLS - 1])
        return 1;
    if (cells.at[1] > cells.at[SIDE])
        return 2;
    return 3 + diagonals;
}
