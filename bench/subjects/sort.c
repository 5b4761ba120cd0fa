int sort(int a, int b, int c, int d, int e, int f, int g, int h) {
    int all[8] = {a, b, c, d, e, f, g, h};
    for (int i = 1; i < 8; i++) {
        int moved = all[i];
        int at = i;
        while (at > 0 && all[at - 1] > moved) {
            all[at] = all[at - 1];
            at--;
        }
        all[at] = moved;
    }
    return all[0];
}
