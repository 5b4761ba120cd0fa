/* A mark for points, with a bonus; refuses what is out of range. */
#include <stdlib.h>

enum mark { FAILED, PASSED, HONOURS, INVALID = -1 };

enum mark grade(int points, int bonus, double factor)
{
    int total;
    if (points < 0 || points > 100 || bonus < 0 || bonus > 10)
        return INVALID;
    if (factor > 2.0)
        exit(3);
    total = points + bonus;
    if (factor < 0.5)
        total = total / 2;
    if (total >= 90)
        return HONOURS;
    return total >= 50 ? PASSED : FAILED;
}
