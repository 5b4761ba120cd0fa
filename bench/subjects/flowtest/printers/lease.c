/* Leases: operation, flags, and options of a type, a length and a value, one behind the other. */
#include "printer.h"

enum { HEADER = 6, OPTIONS = 9 };
static const struct token messages[] = {{1, "discover"}, {2, "offer"}, {3, "request"}, {5, "acknowledge"}, {6, "refuse"}, {7, "release"}, {0, 0}};
static const struct token kinds[] = {{1, "mask"}, {3, "router"}, {6, "name server"}, {0, 0}};

static void options(const unsigned char *p)
{
    for (int at = 0; at + 2 < OPTIONS; at += 3) {
        if (p[at] == 255)
            return;
        if (p[at + 1] != 1)
            puts("length?");
        else if (p[at] == 53)
            puts(name_of(messages, p[at + 2]));
        else
            puts(name_of(kinds, p[at]));
    }
    puts("no end");
}

void lease_print(const unsigned char packet[15], unsigned length)
{
    if (length < HEADER + OPTIONS) {
        puts("truncated");
        return;
    }
    puts(packet[0] == 1 ? "question" : packet[0] == 2 ? "answer" : "?");
    if (packet[1] != 1)
        puts("hardware?");
    if (packet[2] > 16)
        puts("hops?");
    if (packet[3] & 0x80)
        puts("broadcast");
    host(packet + 4);
    options(packet + HEADER);
}
