/* Runs whose traces the test writes by hand: executing changes nothing. */
#include "fake_tracer.h"

int fake_renew; /* what the next runs say about the process */
int fake_new_edges;
int fake_report = -1; /* index of the next run's report */

int veer_execute(void)
{
    if (fake_report >= 0)
        VEER_CONTROL->last_report = (uint32_t)fake_report;
    fake_report = -1;
    return fake_renew;
}

void veer_drop_new_edges(void)
{
}

int veer_take_new_edges(void)
{
    int edges = fake_new_edges;
    fake_new_edges = 0;
    return edges;
}
