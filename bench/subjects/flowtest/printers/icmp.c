/* Control messages: what a type's code and pointer mean. */
#include "printer.h"

static const struct token types[] = {{0, "echo reply"}, {4, "source quench"}, {8, "echo request"}, {13, "time stamp query"}, {0, 0}};
static const struct token unreachable[] = {{0, "net"}, {1, "host"}, {2, "protocol"}, {3, "port"}, {4, "need to fragment"}, {0, 0}};
static const struct token redirects[] = {{0, "net"}, {1, "host"}, {2, "service and net"}, {3, "service and host"}, {0, 0}};

void icmp_print(const unsigned char packet[20], unsigned length)
{
    if (length < 8) {
        puts("truncated");
        return;
    }
    switch (packet[0]) {
    case 3:
        puts(name_of(unreachable, packet[1]));
        if (packet[1] == 4 && two(packet + 6))
            puts("next hop's size");
        break;
    case 5: puts(name_of(redirects, packet[1])); break;
    case 11: puts(packet[1] ? "in reassembly" : "in transit"); break;
    case 12: puts(packet[4] < 20 ? "in the header" : "in the options"); break;
    default: puts(name_of(types, packet[0])); break;
    }
    if (length >= 20) {
        if (packet[8] >> 4 != 4)
            puts("inner version?");
        host(packet + 12);
        host(packet + 16);
    }
}
