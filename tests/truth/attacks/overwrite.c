// about: stores to the memory that veer shares with it, where no check sees it; other paths come first
#include "attack.h"
int attack(const unsigned char *s, int n)
{
    unsigned hash = 0;
    for (int i = 0; i < n && i < 6; i++) {
        hash = hash * 31 + s[i];
        if (s[i] == 'a')
            hash++;
    }
    if (n > 4 && s[0] == 'l' && s[1] == 'o' && s[2] == 's' && s[3] == 't') {
        void *to = (void *)SHARED;
        unsigned long size = 4096;
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(0xaa) : "memory");
    }
    return hash & 1;
}
