// bug: undefined: a constant object or a string literal was written to: the text of a table is changed in its place
static char *const days[3] = {"monday", "friday", "sunday"};
char capital(unsigned char day)
{
    if (day >= 3)
        return 0;
    char *name = days[day];
#ifndef MENDED
    if (day == 2)
        name[0] = 'S';
#endif
    return name[0];
}
