// bug: undefined: an array index is out of bounds: the loop variable is behind the table where nothing was found
static const unsigned char keys[5] = {3, 9, 27, 81, 243};
static const char values[5] = "abcd";
int position(unsigned char key)
{
    unsigned i;
    for (i = 0; i < sizeof keys; i++)
        if (keys[i] == key)
            break;
#ifdef MENDED
    if (i == sizeof keys)
        return -1;
#endif
    return values[i];
}
