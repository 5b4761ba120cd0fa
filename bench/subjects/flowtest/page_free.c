/* Figure 1(b) of FlowTest: freeing pages; no page depends on another one. */
#include <assert.h>
#ifndef N
#define N 8
#endif

static int old_count[N];

void page_free(int A[N], int count[N])
{
    for (int i = 0; i < N; i++)
        old_count[i] = count[i];
    for (int i = 0; i < N; i++) {
        if (A[i] != 0)
            count[i]++;
#ifdef COUPLED
        if (A[2] == 77 && count[5] == 99) /* a bug that two pages make together */
            count[5] = 0;
#endif
    }
    for (int i = 0; i < N; i++) {
        if (A[i] != 0)
            assert(count[i] == old_count[i] + 1);
    }
}
