/* Time: leap indicator, version and mode in one byte; stratum, poll, precision; an identifier of four letters. */
#include "printer.h"

static const struct token modes[] = {{1, "active"}, {2, "passive"}, {3, "client"}, {4, "server"}, {5, "broadcast"}, {6, "control"}, {0, 0}};
static const struct token leaps[] = {{1, "+1s"}, {2, "-1s"}, {3, "not synchronised"}, {0, 0}};

void ntp_print(const unsigned char packet[16], unsigned length)
{
    if (length < 16) {
        puts("truncated");
        return;
    }
    if (packet[0] >> 6)
        puts(name_of(leaps, packet[0] >> 6));
    puts(name_of(modes, packet[0] & 7));
    if (packet[1] == 0)
        puts("unspecified");
    else if (packet[1] == 1)
        puts("primary reference");
    else if (packet[1] > 15)
        puts("stratum?");
    if (packet[2] > 17)
        puts("polls too seldom");
    if ((signed char)packet[3] > 0)
        puts("not precise");
    if (two(packet + 4) > 16)
        puts("far from the root");
    if (packet[8] & 0x80)
        puts("dispersion");
    for (int i = 12; i < 16; i++)
        puts(packet[i] >= 'A' && packet[i] <= 'Z' ? "letter" : "byte");
}
