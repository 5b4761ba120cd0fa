/* Address resolution: hardware, protocol, operation, then two pairs of addresses. */
#include "printer.h"

static const struct token hardware[] = {{1, "ethernet"}, {6, "token ring"}, {7, "arcnet"}, {15, "frame relay"}, {0, 0}};
static const struct token operations[] = {{1, "who-has"}, {2, "reply"}, {3, "reverse who-is"}, {4, "reverse reply"}, {8, "inverse who-is"}, {0, 0}};

static int is_zero(const unsigned char *p, int length)
{
    for (int i = 0; i < length; i++)
        if (p[i])
            return 0;
    return 1;
}

void arp_print(const unsigned char packet[28], unsigned length)
{
    if (length < 28) {
        puts("truncated");
        return;
    }
    if (two(packet) != 1)
        puts(name_of(hardware, two(packet)));
    if (two(packet + 2) != 0x800 && two(packet + 2) != 0x1000)
        puts("protocol?");
    if (packet[4] != 6 || packet[5] != 4)
        puts("lengths?");
    puts(name_of(operations, two(packet + 6)));
    if (is_zero(packet + 18, 3))
        puts("to nobody known");
    host(packet + 14);
    host(packet + 24);
}
