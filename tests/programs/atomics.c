// entry: exchange
// input: signed char x: all
// about: atomic operations keep what they were given
#include <stdatomic.h>
static atomic_int counter;
static _Atomic unsigned char flags;
int exchange(signed char x) {
    atomic_store(&counter, x);
    if (atomic_fetch_add(&counter, 5) > 100)
        return 1;
    if (atomic_load(&counter) == 12)
        return 2;
    int expected = -3;
    if (atomic_compare_exchange_strong(&counter, &expected, 40))
        return atomic_load(&counter);
    if (expected == -50)
        return 3;
    atomic_store(&flags, (unsigned char)x);
    if ((atomic_fetch_and(&flags, 0x0f) & 0x80) && atomic_fetch_xor(&flags, 0x05) == 0x05)
        return atomic_exchange(&counter, 9) < -90 ? 4 : atomic_load(&flags) + 5;
    return 0;
}
