// entry: report
// input: signed char x: all
// claim: paths
// about: shadows of `...` in nested variadic calls, through a pointer, and a list that is started twice
#include <stdarg.h>
static int last;
static int inner(int kind, ...) {
    va_list list;
    va_start(list, kind);
    int value = va_arg(list, int);
    va_end(list);
    return kind ? -value : value;
}
static int outer(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += inner(i & 1, va_arg(list, int));
    va_end(list);
    va_start(list, count);
    last = va_arg(list, int);
    va_end(list);
    return sum;
}
int report(signed char x) {
    int (*function)(int, ...) = x > 100 ? inner : outer;
    int sum = function(3, x, 5, 2 * x);
    if (last == 60)
        return 1;
    return sum == 31 ? 2 : sum < -300;
}
