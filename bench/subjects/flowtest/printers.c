/* Eight printers of packets: the type says which, the fields are printed each for itself. */
#include <stdio.h>

struct packet {
    unsigned char type;
    unsigned char source, target;
    unsigned char field[6];
};

static void address(const char *which, unsigned char a)
{
    if (a == 0)
        puts("any");
    else if (a == 255)
        puts("broadcast");
    else if (a >= 224)
        puts("multicast");
    else
        puts(which);
}

static void flags(unsigned char f)
{
    if (f & 1)
        puts("urgent");
    if (f & 2)
        puts("push");
    if (f & 4)
        puts("reset");
}

static void arp(const unsigned char *f) { puts(f[0] == 1 ? "request" : f[0] == 2 ? "reply" : "?"); }
static void icmp(const unsigned char *f) { puts(f[0] == 8 ? "echo" : f[0] == 0 ? "answer" : "other"); if (f[1]) puts("code"); }
static void igmp(const unsigned char *f) { puts(f[0] == 0x11 ? "query" : "report"); if (f[1] > 100) puts("slow"); }
static void tcp(const unsigned char *f) { flags(f[0]); if (f[1] < 20) puts("short"); if (f[2]) puts("options"); }
static void udp(const unsigned char *f) { if (f[0] < 8) puts("short"); if (f[1] == 53) puts("domain"); }
static void ospf(const unsigned char *f) { switch (f[0]) { case 1: puts("hello"); break; case 2: puts("database"); break; case 4: puts("update"); break; default: puts("?"); } }
static void rip(const unsigned char *f) { if (f[0] != 2) puts("version"); if (f[1] > 16) puts("metric"); if (f[2]) puts("tag"); }
static void dhcp(const unsigned char *f) { puts(f[0] == 1 ? "discover" : "offer"); flags(f[1]); if (f[2] > 16) puts("hops"); }

void print(struct packet *p)
{
    static void (*const printers[8])(const unsigned char *) = {arp, icmp, igmp, tcp, udp, ospf, rip, dhcp};
    address("source", p->source);
    address("target", p->target);
    if (p->type < 8)
        printers[p->type](p->field);
    else
        puts("unknown");
}
