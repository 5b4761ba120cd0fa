#include <stdint.h>
#include <stddef.h>
struct point { int32_t x, y; };
enum colour { RED, GREEN, BLUE };
struct node { int32_t value; struct node *next; };

int32_t clamp(int32_t x, int32_t low, int32_t high) {
    if (x < low) return low;
    if (x > high) return high;
    return x;
}

uint8_t quadrant(const struct point *p) {
    if (p->x == 0 || p->y == 0) return 0;
    if (p->x > 0) { if (p->y > 0) return 1; else return 4; }
    if (p->y > 0) return 2; else return 3;
}

uint8_t at(const uint8_t *s, size_t s_len, size_t i) {
    if (i > s_len) return 0;
    return s[i];
}

int32_t mix(enum colour a, uint8_t b) {
    switch (a) {
        case RED: return 1;
        case GREEN: if (b == 77) return 2; break;
        case BLUE: return 100 - (int32_t)b * 2;
        default: __builtin_unreachable();
    }
    return 3;
}

int32_t second(struct node *list) {
    if (!list) return -1;
    if (!list->next) return -2;
    if (list->next->value == 12345) return list->next->next->value;
    return list->next->value;
}
