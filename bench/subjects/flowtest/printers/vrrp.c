/* Router redundancy: version and type share a byte; the priority has two special values. */
#include "printer.h"

static const struct token methods[] = {{0, "none"}, {1, "simple"}, {2, "header"}, {0, 0}};

void vrrp_print(const unsigned char packet[20], unsigned length)
{
    if (length < 20) {
        puts("truncated");
        return;
    }
    if (packet[0] >> 4 != 2)
        puts("version?");
    puts((packet[0] & 15) == 1 ? "advertisement" : "type?");
    if (packet[2] == 255)
        puts("owner");
    else if (packet[2] == 0)
        puts("gives up");
    puts(name_of(methods, packet[4]));
    if (packet[5] != 1)
        puts("interval");
    host(packet + 8);
    host(packet + 12);
    for (int i = 16; i < 20; i++)
        if (packet[i] && packet[i] < ' ')
            puts("unprintable");
}
