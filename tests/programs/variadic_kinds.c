// entry: kinds
// input: signed char x: all
// input: double d: -2.5 -0.0 0.5 3.0 1e300
// claim: paths
// about: va_arg of every class: integers of all sizes, doubles in registers and in memory, pointers, structs in memory
#include <stdarg.h>
struct large {
    long first;
    int second;
    char name[12];
};
struct small {
    int left;
    double right;
};
static int read_all(const char *format, ...) {
    va_list list;
    int seen = 0;
    va_start(list, format);
    for (; *format; format++) {
        if (*format == 'i')
            seen += va_arg(list, int) == 7;
        else if (*format == 'l')
            seen += 10 * (va_arg(list, long) < -100);
        else if (*format == 'd')
            seen += 100 * (va_arg(list, double) > 2.0);
        else if (*format == 'p')
            seen += 1000 * (*va_arg(list, signed char *) == 'q');
        else if (*format == 's')
            seen += 10000 * (va_arg(list, struct small).left == 99);
        else {
            struct large one = va_arg(list, struct large);
            seen += 100000 * (one.second == 42 && one.name[3] == 'n');
        }
    }
    va_end(list);
    return seen;
}
int kinds(signed char x, double d) {
    struct large large = {1, x, "abcn"};
    struct small small = {x, d};
    int result = read_all("ildpsLddddddddd", x, (long)x, d, &x, small, large, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, d, -d);
    return result + read_all("iiiiiiil", x, 1, 2, 3, 4, 5, x, (long)x);
}
