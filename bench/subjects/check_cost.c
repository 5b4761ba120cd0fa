/* Concrete work, to compare the instrumented build with the plain one: a lexer, a checksum, a sort, linked cells. */
#include <stdlib.h>
#ifndef ROUNDS
#define ROUNDS 400
#endif

static const char text[] = "{\"name\": \"value\", \"list\": [1, 22, 333, -4.5e+6, true, false, null], \"deep\": {\"a\": {}}}";

struct cell {
    unsigned value;
    struct cell *next;
};

static unsigned tokens(const char *s) {
    unsigned n = 0;
    for (; *s; n++) {
        if (*s == '"') {
            for (s++; *s != '"'; s++)
                ;
            s++;
        } else if ((*s >= '0' && *s <= '9') || *s == '-') {
            while ((*s >= '0' && *s <= '9') || *s == '.' || *s == 'e' || *s == '-' || *s == '+')
                s++;
        } else
            s++;
    }
    return n;
}

static unsigned checksum(const char *s) {
    unsigned crc = ~0u;
    for (; *s; s++) {
        crc ^= (unsigned char)*s;
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static unsigned sorted_cells(unsigned seed) {
    struct cell *head = 0;
    unsigned sum = 0;
    for (int i = 0; i < 40; i++) {
        struct cell *new = malloc(sizeof *new), **at = &head;
        new->value = seed = seed * 1664525u + 1013904223u;
        while (*at && (*at)->value < new->value)
            at = &(*at)->next;
        new->next = *at;
        *at = new;
    }
    while (head) {
        struct cell *old = head;
        sum = sum * 31 + head->value;
        head = head->next;
        free(old);
    }
    return sum;
}

unsigned work(unsigned char unused);
unsigned work(unsigned char unused) {
    unsigned sum = unused ? 1 : 0;
    for (unsigned round = 0; round < ROUNDS; round++)
        sum += tokens(text) + checksum(text) + sorted_cells(round);
    return sum;
}
