// bug: undefined: an array index is out of bounds: the number of the colours is taken for a colour
enum colour { RED, GREEN, BLUE, COLOURS };
static const char *const names[COLOURS] = {"red", "green", "blue"};
int colour_name(enum colour colour)
{
#ifdef MENDED
    if (colour >= COLOURS)
#else
    if (colour > COLOURS)
#endif
        return 0;
    return names[colour][0];
}
