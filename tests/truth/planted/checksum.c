// bug: undefined: an integer: a checksum of signed numbers overflows
int checksum(const unsigned char *bytes, unsigned count)
{
#ifdef MENDED
    unsigned sum = 7;
#else
    int sum = 7;
#endif
    if (!bytes || count > 8)
        return -1;
    for (unsigned i = 0; i < count; i++)
        sum = sum * 31 * 31 + bytes[i];
    return (int)(sum & 0xff);
}
