/* A module of an intrusion detector: only packets of one protocol are looked at, then each field by rules of its own. */
#include <assert.h>

struct packet {
    unsigned char version, protocol;
    unsigned char source[4], target[4];
    unsigned char source_port, target_port, length, flags;
    unsigned char payload[8];
};

static int alarms[12];

static int is_udp(const struct packet *p)
{
    return p->version == 4 && p->protocol == 17;
}

static int is_private(const unsigned char *address)
{
    if (address[0] == 10)
        return 1;
    if (address[0] == 192 && address[1] == 168)
        return 1;
    return 0;
}

void inspect(struct packet *p)
{
    if (!is_udp(p))
        return;
    if (is_private(p->source))
        alarms[0] = 1;
    if (is_private(p->target))
        alarms[1] = 1;
    if (p->source_port == 53 || p->source_port == 67)
        alarms[2] = 1;
    if (p->target_port < 32)
        alarms[3] = p->target_port == 7 ? 2 : 1;
    if (p->length < 8)
        alarms[4] = 1;
    if (p->flags & 0x80)
        alarms[5] = 1;
    if (p->payload[0] == 0x90 && p->payload[1] == 0x90)
        alarms[6] = 1;
    if (p->payload[2] == '%' && p->payload[3] == 'n')
        alarms[7] = 1;
    if (p->payload[4] == 0 && p->payload[5] == 1)
        alarms[8] = p->payload[6];
    if (alarms[3] == 2)
        assert(p->target_port == 7);
}
