/* Names: a header of flags and four counts. */
#include "printer.h"

static const struct token operations[] = {{0, "query"}, {1, "inverse"}, {2, "status"}, {4, "notify"}, {5, "update"}, {0, 0}};
static const struct token answers[] = {{1, "format"}, {2, "server failed"}, {3, "no such name"}, {4, "not there"}, {5, "refused"}, {0, 0}};
static const struct token bits[] = {{0x4, "authoritative"}, {0x2, "truncated"}, {0x1, "recursion desired"}, {0, 0}};

static void count(const unsigned char *p, const char *text)
{
    if (two(p) == 1)
        puts(text);
    else if (two(p) > 1)
        puts("several");
}

void name_print(const unsigned char packet[12], unsigned length)
{
    if (length < 12) {
        puts("truncated");
        return;
    }
    puts(packet[2] & 0x80 ? "answer" : "question");
    puts(name_of(operations, packet[2] >> 3 & 15));
    flags(bits, packet[2]);
    if (packet[3] & 0x80)
        puts("recursion available");
    if (packet[3] & 15)
        puts(name_of(answers, packet[3] & 15));
    count(packet + 4, "question");
    count(packet + 6, "answer");
    count(packet + 8, "authority");
    count(packet + 10, "more");
}
