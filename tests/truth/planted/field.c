// bug: out-of-bounds-read: a text without a comma
int field(const char *line)
{
    if (!line)
        return -1;
    const char *at = line;
#ifdef MENDED
    while (*at && *at != ',')
#else
    while (*at != ',')
#endif
        at++;
    return (int)(at - line);
}
