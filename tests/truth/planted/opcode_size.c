// bug: undefined: an array index is out of bounds: a case without its break
static int row[6];
int opcode_size(char opcode)
{
    int size = 1;
    switch (opcode) {
    case 'b':
        size = 2;
        break;
    case 'w':
        size = 4;
#ifdef MENDED
        break;
#endif
    case 'd':
        size += 2;
        break;
    default:
        return 0;
    }
    row[size] = 1;
    return size;
}
