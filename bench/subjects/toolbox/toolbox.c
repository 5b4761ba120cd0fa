#include "toolbox.h"

static int stable;
static const int limits[LEVELS] = {10, 50, 90};

int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

enum status queue_put(struct queue *queue, uint8_t value)
{
    if (queue->count >= QUEUE_SIZE)
        return STATUS_FULL;
    queue->data[(queue->head + queue->count) % QUEUE_SIZE] = value;
    queue->count++;
    return STATUS_OK;
}

enum status queue_get(struct queue *queue, uint8_t *value)
{
    if (queue->count == 0)
        return STATUS_EMPTY;
    *value = queue->data[queue->head % QUEUE_SIZE];
    queue->head = (uint8_t)((queue->head + 1) % QUEUE_SIZE);
    queue->count--;
    return STATUS_OK;
}

int queue_peek(const struct queue *queue, unsigned index)
{
    if (index >= queue->count)
        return -1;
    return queue->data[(queue->head + index) % QUEUE_SIZE];
}

unsigned popcount(uint8_t bits)
{
    unsigned count = 0;
    for (; bits; bits &= (uint8_t)(bits - 1))
        count++;
    return count;
}

int parity(uint8_t bits)
{
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    bits ^= bits >> 1;
    return bits & 1 ? -1 : 1;
}

uint8_t rotate(uint8_t bits, unsigned by)
{
    by %= 8u;
    if (by == 0)
        return bits;
    return (uint8_t)(bits << by | bits >> (8u - by));
}

uint8_t nibble_of(char digit)
{
    if (digit >= '0' && digit <= '9')
        return (uint8_t)(digit - '0');
    if (digit >= 'a' && digit <= 'f')
        return (uint8_t)(digit - 'a' + 10);
    return 255;
}

int hex_byte(const char *text)
{
    uint8_t high = nibble_of(text[0]);
    uint8_t low;
    if (high == 255)
        return -1;
    low = nibble_of(text[1]);
    return low == 255 ? -1 : high * 16 + low;
}

int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_in(int month, int year)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return month < 1 || month > 12 ? 0 : 31;
    }
}

int day_of_year(int day, int month, int year)
{
    int sum = day, each;
    if (month < 1 || month > 12)
        return 0;
    for (each = 1; each < month && each < 4; each++)
        sum = clamp(sum, 0, 366) + days_in(each, year);
    return sum;
}

size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

int count_char(const char *text, char wanted)
{
    int count = 0;
    for (; *text; text++)
        if (*text == wanted)
            count++;
    return count;
}

int starts_with(const char *text, const char *head)
{
    while (*head)
        if (*text++ != *head++)
            return 0;
    return 1;
}

const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

int parse_digit(const char *text, int *value)
{
    text = skip_blanks(text);
    if (*text < '0' || *text > '9')
        return 0;
    *value = *text - '0';
    return 1;
}

uint8_t checksum(const uint8_t *data, size_t size)
{
    uint8_t sum = 0;
    size_t i;
    for (i = 0; i < size; i++)
        sum = (uint8_t)(sum ^ data[i]);
    return sum == 0 ? 255 : sum;
}

int is_sorted(const int *data, size_t size)
{
    size_t i;
    for (i = 1; i < size; i++)
        if (data[i - 1] > data[i])
            return 0;
    return 1;
}

int largest(const int *data, size_t size)
{
    int found;
    size_t i;
    if (size == 0)
        return 0;
    found = data[0];
    for (i = 1; i < size; i++)
        if (data[i] > found)
            found = data[i];
    return found;
}

int quadrant(const struct point *point)
{
    if (point->x == 0 || point->y == 0)
        return 0;
    if (point->x > 0)
        return point->y > 0 ? 1 : 4;
    return point->y > 0 ? 2 : 3;
}

int inside(const struct span *span, int value)
{
    return span->low <= value && value <= span->high;
}

int overlap(const struct span *one, const struct span *other)
{
    if (one->low > one->high || other->low > other->high)
        return 0;
    return inside(one, other->low) || inside(other, one->low);
}

int list_sum(const struct node *list)
{
    int sum = 0, count = 0;
    for (; list != NULL && count < 3; list = list->next, count++)
        sum = clamp(list->value, -100, 100) + sum;
    return sum;
}

const struct node *list_find(const struct node *list, int value)
{
    int count = 0;
    while (list != NULL && list->value != value && count++ < 3)
        list = list->next;
    return list;
}

int level_of(int reading)
{
    int level;
    for (level = 0; level < LEVELS; level++)
        if (reading < limits[level])
            return level;
    return LEVELS;
}

int debounce(int level)
{
    if (level == stable)
        return 0;
    stable = level;
    return 1;
}

int saturated_add(int one, int other)
{
    if (other > 0 && one > INT32_MAX - other)
        return INT32_MAX;
    if (other < 0 && one < INT32_MIN - other)
        return INT32_MIN;
    return one + other;
}

int compare(int one, int other)
{
    return one < other ? -1 : one > other;
}

int step_towards(int from, int to)
{
    if (from == to)
        return from;
    return from < to ? from + 1 : from - 1;
}
