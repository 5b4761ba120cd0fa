/* Group membership: a report's records, each with its own type and sources. */
#include "printer.h"

enum { RECORDS = 4, RECORD = 6 };
static const struct token modes[] = {{1, "is in"}, {2, "is ex"}, {3, "to in"}, {4, "to ex"}, {5, "allow"}, {6, "block"}, {0, 0}};

static void record(const unsigned char *p)
{
    puts(name_of(modes, p[0]));
    if (p[1])
        puts("with data");
    host(p + 2);
}

void igmp_print(const unsigned char packet[28], unsigned length)
{
    if (length < 4 + RECORDS * RECORD) {
        puts("truncated");
        return;
    }
    if (packet[0] != 0x22) {
        puts("no report");
        return;
    }
    for (int i = 0; i < RECORDS; i++)
        record(packet + 4 + i * RECORD);
}
