/* Routes: entries of eight bytes, each for itself; the version says how these are read. */
#include "printer.h"

enum { ENTRIES = 4, ENTRY = 8 };

static void entry(const unsigned char *p, int version)
{
    if (two(p) == 0xffff)
        puts("authentication");
    else if (two(p) != 2)
        puts("family?");
    if (version > 1 && p[2])
        puts("tagged");
    host(p + 3);
    if (p[7] == 16)
        puts("unreachable");
    else if (p[7] == 0 || p[7] > 16)
        puts("metric?");
}

void rip_table_print(const unsigned char packet[36], unsigned length)
{
    if (length < 4 + ENTRIES * ENTRY) {
        puts("truncated");
        return;
    }
    if (packet[0] == 1)
        puts("request");
    else if (packet[0] == 2)
        puts("response");
    else
        puts("command?");
    for (int i = 0; i < ENTRIES; i++)
        entry(packet + 4 + i * ENTRY, packet[1] == 2 ? 2 : 1);
}
