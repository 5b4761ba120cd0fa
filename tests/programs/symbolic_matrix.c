// entry: cell
// input: unsigned char i: all
// input: signed char j: -3..4
// claim: paths
// outcomes: returned undefined
// about: two indices, one of them signed; whatever lands in the matrix is no error
static int matrix[6][5];
int cell(unsigned char i, signed char j) {
    for (int k = 0; k < 30; k++)
        matrix[k / 5][k % 5] = k * k;
    if (i >= 6)
        return -1;
    return matrix[i][j] == 49 ? 1 : 0;
}
