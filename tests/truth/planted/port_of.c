// bug: uninitialised: what was never written is used: the port is set only where there is one
static int parse(const char *text, int *port)
{
    for (; *text; text++)
        if (*text == ':') {
            *port = text[1];
            return 0;
        }
    return 1;
}
int port_of(const char *address)
{
    int port;
    if (!address)
        return -1;
#ifdef MENDED
    if (parse(address, &port))
        return 80;
#else
    parse(address, &port);
#endif
    return port;
}
