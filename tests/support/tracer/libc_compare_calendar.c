#define _GNU_SOURCE
/* The dates of veer's own libc against the machine's in UTC; prints each difference. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "libc_compare.h"

struct tm *veer_libc_gmtime_r(const time_t *, struct tm *);
struct tm *veer_libc_localtime_r(const time_t *, struct tm *);
struct tm *veer_libc_localtime(const time_t *);
time_t veer_libc_timegm(struct tm *);
time_t veer_libc_mktime(struct tm *);
double veer_libc_difftime(time_t, time_t);

static int same(const struct tm *a, const struct tm *b) {
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon &&
           a->tm_year == b->tm_year && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday && a->tm_isdst == b->tm_isdst &&
           a->tm_gmtoff == b->tm_gmtoff && (a->tm_zone == b->tm_zone || (a->tm_zone && b->tm_zone && !strcmp(a->tm_zone, b->tm_zone)));
}

static void told(const char *what, const struct tm *own, const struct tm *machine, int64_t of) {
    failures++;
    printf("%s of %lld: %d-%d-%d %d:%d:%d %d %d %s, not %d-%d-%d %d:%d:%d %d %d %s\n", what, (long long)of, own->tm_year, own->tm_mon, own->tm_mday,
           own->tm_hour, own->tm_min, own->tm_sec, own->tm_wday, own->tm_yday, own->tm_zone ? own->tm_zone : "-", machine->tm_year, machine->tm_mon,
           machine->tm_mday, machine->tm_hour, machine->tm_min, machine->tm_sec, machine->tm_wday, machine->tm_yday,
           machine->tm_zone ? machine->tm_zone : "-");
}

static void compare_seconds(time_t seconds) {
    struct tm own = {.tm_mday = 77, .tm_isdst = 77}, machine = own; /* of a year that does not fit, glibc leaves a part */
    errno = 0;
    int is_own = veer_libc_gmtime_r(&seconds, &own) != NULL, own_error = errno;
    errno = 0;
    int is_machines = gmtime_r(&seconds, &machine) != NULL;
    if (is_own != is_machines || own_error != errno) failures++, printf("gmtime_r of %lld: %d\n", (long long)seconds, is_own);
    else if (!same(&own, &machine)) told("gmtime_r", &own, &machine, seconds);
    veer_libc_localtime_r(&seconds, &own), localtime_r(&seconds, &machine);
    if (!same(&own, &machine)) told("localtime_r", &own, &machine, seconds);
    struct tm *kept = veer_libc_localtime(&seconds);
    if (kept && !same(kept, &own)) told("localtime", kept, &own, seconds);
}

static int field(int usual) {
    switch (draw(16)) {
    case 0: return (int)draw_bits();
    case 1: return draw(2) ? INT_MAX : INT_MIN;
    case 2: return -(int)draw(1000);
    default: return (int)draw((unsigned)usual);
    }
}

static void compare_dates(time_t (*own_one)(struct tm *), time_t (*machines)(struct tm *), const char *name) {
    struct tm date = {.tm_year = field(300), .tm_mon = field(14), .tm_mday = field(34), .tm_hour = field(26), .tm_min = field(62), .tm_sec = field(62)};
    date.tm_wday = field(7), date.tm_yday = field(366);
    struct tm own = date, machine = date;
    errno = 0;
    time_t own_time = own_one(&own);
    int own_error = errno;
    errno = 0;
    time_t machine_time = machines(&machine);
    if (own_time != machine_time || own_error != errno) failures++, printf("%s = %lld, not %lld, %d\n", name, (long long)own_time, (long long)machine_time, errno);
    if (!same(&own, &machine)) told(name, &own, &machine, machine_time);
}

int main(void) {
    static const time_t edges[] = {0, -1, 86399, 86400, 951782399, 951782400, 951868800, 67768036191676799, 67768036191676800, -67768040609740800,
                                   -67768040609740801, INT64_MAX, INT64_MIN};
    setenv("TZ", "UTC", 1);
    for (unsigned k = 0; k < sizeof edges / sizeof *edges; k++) compare_seconds(edges[k]);
    for (int64_t day = -800000; day < 800000; day++) compare_seconds(day * 86400 + (int64_t)draw(86400));
    for (int round = 0; round < 100000; round++) {
        compare_seconds((time_t)(draw_bits() >> draw(60)));
        compare_seconds(-(time_t)(draw_bits() >> (1 + draw(10))));
        compare_dates(veer_libc_timegm, timegm, "timegm");
        compare_dates(veer_libc_mktime, mktime, "mktime");
        time_t begin = (time_t)draw_bits() >> 12, end = (time_t)draw_bits() >> 12;
        if (veer_libc_difftime(end, begin) != difftime(end, begin)) failures++, printf("difftime %lld %lld\n", (long long)end, (long long)begin);
    }
    setenv("TZ", "EST5", 1), tzset();
    time_t now = 951782400;
    struct tm own, machine;
    veer_libc_localtime_r(&now, &own), localtime_r(&now, &machine);
    if (!same(&own, &machine) || own.tm_hour != 19) told("localtime_r in EST5", &own, &machine, now);
    return failures != 0;
}
