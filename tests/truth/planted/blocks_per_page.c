// bug: undefined: an integer was divided by zero: the compiler folds a division by a constant zero away
#define BLOCK 16
#ifdef MENDED
#define PAGE 64
#else
#define PAGE 3
#endif
int blocks_per_page(unsigned char size) {
    unsigned rest = 0;
    if (size > 9)
        rest = 5u % (PAGE / BLOCK);
    return (int)rest;
}
