// bug: undefined: an integer addition overflowed: int overflow in the average of two numbers
int average(int low, int high)
{
#ifdef MENDED
    return low / 2 + high / 2 + (low % 2 + high % 2) / 2;
#else
    return (low + high) / 2;
#endif
}
