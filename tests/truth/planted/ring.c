// bug: undefined: an array index is out of bounds: a negative remainder
static int slots[8];
int ring(int position)
{
#ifdef MENDED
    int index = (int)((unsigned)position % 8);
#else
    int index = position % 8;
#endif
    slots[index]++;
    return slots[index];
}
