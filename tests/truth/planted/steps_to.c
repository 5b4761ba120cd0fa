// bug: hang: a step of zero goes nowhere
int steps_to(unsigned char end, unsigned char step)
{
    int many = 0;
#ifdef MENDED
    if (!step)
        return -1;
#endif
    for (int at = 0; at < end; at += step)
        many = (many + 1) % 1000;
    return many;
}
