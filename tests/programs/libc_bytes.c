// entry: order
// input: unsigned int word: 0 1 2 128 256 16777216 959447040 384
// input: unsigned short half: 0 1 256 13330 80
// claim: paths
// about: byte order and the lowest bit set keep constraints
#include <arpa/inet.h>
#include <strings.h>
int order(unsigned int word, unsigned short half) {
    if (ntohl(word) == 12345)
        return 1;
    if (ntohs(half) == 80 + 176)
        return 2;
    if (ffs((int)word) == 8)
        return htonl(word) > 100 ? 3 : 4;
    return htons(half) == 0x1234 ? 5 : 6;
}
