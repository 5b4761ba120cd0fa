// bug: undefined: an array index is out of bounds: row and column are exchanged
static int cells[2][5];
int matrix(unsigned char row, unsigned char column)
{
    if (row >= 2 || column >= 5)
        return -1;
#ifdef MENDED
    cells[row][column] = 1;
#else
    cells[column][row] = 1;
#endif
    return cells[0][0];
}
