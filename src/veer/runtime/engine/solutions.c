/* The memo of solutions, empty at first: word 0 stands for "not yet". */
#include "solutions.h"

void veer_solutions_attach(void)
{
    SOLUTIONS->top = 1;
}
