/* A stack with a leak that takes a sequence of calls:
       veer test examples/stack.c --sequence 'stack_new,{stack_push,stack_pop},stack_free' --check leak */
#include <stdlib.h>

struct cell {
    int value;
    struct cell *below;
};

struct stack {
    struct cell *top;
};

struct stack *stack_new(void)
{
    return calloc(1, sizeof(struct stack));
}

void stack_push(struct stack *stack, int value)
{
    struct cell *cell = malloc(sizeof *cell);
    cell->value = value;
    cell->below = stack->top;
    stack->top = cell;
}

int stack_pop(struct stack *stack)
{
    struct cell *cell = stack->top;
    if (cell == NULL)
        return -1;
    int value = cell->value;
    stack->top = cell->below;
    if (value < 0)
        return -1; /* not freed */
    free(cell);
    return value;
}

void stack_free(struct stack *stack)
{
    while (stack->top)
        stack_pop(stack);
    free(stack);
}
