/* A guard before independent fields: FlowTest's own limitations (section 5.2). */
#include <assert.h>

struct packet {
    unsigned char version, protocol, length, flags, source, target, window, urgent;
};

static int seen[8];

static int packet_is_udp(const struct packet *p)
{
    return p->version == 4 && p->protocol == 17;
}

void look_at(const struct packet *p)
{
    if (!p)
        return;
    if (!packet_is_udp(p))
        return;
    if (p->length < 8)
        seen[0] = 1;
    if (p->flags & 2)
        seen[1] = p->flags & 1 ? 2 : 1;
    if (p->source == 7)
        seen[2] = 1;
    if (p->target == 9)
        seen[3] = 1;
    if (p->window > 100)
        seen[4] = p->window > 200 ? 2 : 1;
    if (p->urgent)
        seen[5] = 1;
    if (seen[0])
        assert(p->length < 8);
    if (seen[4] == 2)
        assert(p->window > 200);
}
