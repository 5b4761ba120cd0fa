// bug: uninitialised: what was never written is used: a local variable: no branch sets the grade of 100
int grade(unsigned char points)
{
    int result;
    if (points < 50)
        result = 5;
    else if (points < 70)
        result = 3;
    else if (points < 100)
        result = 2;
#ifdef MENDED
    else
        result = 1;
#endif
    return result;
}
