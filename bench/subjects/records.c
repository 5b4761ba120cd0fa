/* Records with a length in front: each is summed, sums must be even, a record of length 0 ends the packet. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

static int records(const unsigned char *packet, int size) {
    int at = 0, count = 0;
    while (at < size) {
        int length = packet[at++];
        unsigned sum = 0;
        if (length == 0) return count;
        if (length > size - at) return -1;
        for (int k = 0; k < length; k++) sum += packet[at + k];
        if (sum % 2) return -2;
        at += length;
        count++;
    }
    return count;
}

int main(void) {
    unsigned char packet[SIZE];
    klee_make_symbolic(packet, SIZE, "packet");
    return records(packet, SIZE);
}
