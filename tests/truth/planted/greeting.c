// bug: use-after-free: an array of the called function is returned
static char *greet(int hour)
{
#ifdef MENDED
    static char text[4];
#else
    char text[4];
#endif
    text[0] = hour < 12 ? 'm' : 'd';
    text[1] = 0;
    char *made = text;
    return made;
}
int greeting(int hour) { return greet(hour)[0] == 'm'; }
