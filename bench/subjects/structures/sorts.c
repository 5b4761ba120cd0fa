/* Sorting of arrays; each checks its result. SEEDED: the quick sort leaves two elements behind a pivot that equals the last one. */
#include <assert.h>

static void check(const int *values, int count)
{
    for (int k = 1; k < count; k++) assert(values[k - 1] <= values[k]);
}

static void swap(int *first, int *second)
{
    int kept = *first;
    *first = *second;
    *second = kept;
}

static void quick(int *values, int low, int high)
{
    if (low >= high) return;
    int pivot = values[high], place = low;
    for (int k = low; k < high; k++)
        if (values[k] < pivot) swap(&values[place++], &values[k]);
    swap(&values[place], &values[high]);
    quick(values, low, place - 1);
#ifdef SEEDED
    if (place + 2 == high && values[place] == values[high]) return;
#endif
    quick(values, place + 1, high);
}

void quick_sort(int *values, int count)
{
    if (!values) return;
    quick(values, 0, count - 1);
    check(values, count);
}

static void sift(int *values, int top, int count)
{
    for (int child; (child = 2 * top + 1) < count; top = child) {
        if (child + 1 < count && values[child + 1] > values[child]) child++;
        if (values[top] >= values[child]) return;
        swap(&values[top], &values[child]);
    }
}

void heap_sort(int *values, int count)
{
    if (!values) return;
    for (int top = count / 2 - 1; top >= 0; top--) sift(values, top, count);
    for (int last = count - 1; last > 0; last--) {
        swap(&values[0], &values[last]);
        sift(values, 0, last);
    }
    check(values, count);
}
