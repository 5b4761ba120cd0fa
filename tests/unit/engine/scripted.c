/* Runs whose traces the test writes by hand: executing changes nothing. */
#include "fake_tracer.h"

int fake_renew; /* what the next runs say about the process */
int fake_new_edges;

int veer_execute(void)
{
    return fake_renew;
}

int veer_take_new_edges(void)
{
    int edges = fake_new_edges;
    fake_new_edges = 0;
    return edges;
}
