// entry: total
// input: signed char a: all
// input: signed char b: -40..40
// claim: paths
// about: a printf-like function of the user's own: general registers, the overflow area, va_copy, a list handed on
#include <stdarg.h>
static int add(int count, va_list list) {
    int sum = 0;
    while (count-- > 0)
        sum += va_arg(list, int);
    return sum;
}
static int both(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    int first = add(count, list);
    int last = 0;
    for (int i = 0; i < count; i++)
        last = va_arg(again, int);
    va_end(again);
    va_end(list);
    return first == 20 ? 1 : last == 9 ? 2 : first < last ? 3 : 4;
}
int total(signed char a, signed char b) {
    int few = both(2, a, b);
    int many = both(8, 1, 2, 3, 4, 5, a, b, a);
    return few * 10 + many;
}
