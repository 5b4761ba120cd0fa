/* Dates from seconds, and seconds from dates, in UTC: the time zone of every run and of every suite (suite/c/templates/zone.c). A unit that
   has chosen another one with setenv gets the machine's answers. The Gregorian calendar is computed without a branch, as Howard Hinnant's
   "chrono-compatible low-level date algorithms" do: years begin in March, so that the leap day is the last one, and 400 of them are an era of
   146,097 days. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "libc.h"

/* Of the years that an int counts from 1900 on. */
#define FIRST_SECOND (-67768040609740800)
#define LAST_SECOND 67768036191676799

/* Numbers are counted from so many eras, or years, before: divisions are of what is not negative, so that a solver has no signs to tell. */
#define ERAS 6000000ull
#define YEARS 178956972ull /* a dozen of months each */

enum { DAY = 86400, ERA = 146097, ERA_YEARS = 400, TO_MARCH_OF_YEAR_0 = 719468, FIRST_YEAR = 1900, DAYS_BEFORE_JANUARY = 306 };

static int is_leap(uint32_t in_era) { return ((in_era % 4 == 0) & (in_era % 100 != 0)) | (in_era == 0) | (in_era == ERA_YEARS); }

static int fits(int64_t seconds) { return (seconds >= FIRST_SECOND) & (seconds <= LAST_SECOND); }

/* A day of an era: the year that begins in March, the day in it, and the month of it. */
struct era_day {
    uint32_t year, in_year, month;
};

static struct era_day day_of_era(uint32_t day) {
    uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    uint32_t in_year = day - (365 * year + year / 4 - year / 100);
    return (struct era_day){year, in_year, (5 * in_year + 2) / 153};
}

static void set_time(struct tm *to, uint32_t second, const char *zone) {
    to->tm_sec = (int)(second % 60);
    to->tm_min = (int)(second / 60 % 60);
    to->tm_hour = (int)(second / 3600);
    to->tm_isdst = 0;
    to->tm_gmtoff = 0;
    to->tm_zone = zone;
}

/* What glibc leaves of a date whose year no int holds: all but the day of the year and of the month, and the year's lower bits. */
static void break_off(int64_t seconds, struct tm *to, const char *zone) {
    int64_t second = seconds % DAY, is_before = second >> 63, days = seconds / DAY + is_before;
    int64_t moved = days + TO_MARCH_OF_YEAR_0, day = moved % ERA, is_earlier = day >> 63;
    struct era_day its = day_of_era((uint32_t)(day - is_earlier * ERA));
    set_time(to, (uint32_t)(second - is_before * DAY), zone);
    to->tm_year = (int)(uint32_t)((moved / ERA + is_earlier) * ERA_YEARS + its.year + (its.month >= 10) - FIRST_YEAR);
    to->tm_wday = (int)((days % 7 + 11) % 7);
}

/* 1 = done; 0 = the year does not fit. */
static int break_down(int64_t seconds, struct tm *to, const char *zone) {
    if (!fits(seconds)) {
        break_off(seconds, to, zone);
        errno = EOVERFLOW;
        return 0;
    }
    uint64_t moved = (uint64_t)seconds + (ERAS * ERA + TO_MARCH_OF_YEAR_0) * DAY, days = moved / DAY;
    struct era_day its = day_of_era((uint32_t)(days % ERA));
    uint32_t is_late = its.month >= 10;
    set_time(to, (uint32_t)(moved % DAY), zone);
    to->tm_mday = (int)(its.in_year - (153 * its.month + 2) / 5 + 1);
    to->tm_mon = (int)(its.month + 2 - 12 * is_late);
    to->tm_year = (int)((int64_t)(days / ERA * ERA_YEARS) - (int64_t)(ERAS * ERA_YEARS) + its.year + is_late - FIRST_YEAR);
    to->tm_wday = (int)((days + 3) % 7); /* an era is a whole number of weeks, and the first day of each is a Wednesday */
    to->tm_yday = (int)its.in_year + (is_late ? -DAYS_BEFORE_JANUARY : 59 + is_leap(its.year));
    return 1;
}

/* The seconds of a date whose fields may have any values, but for those of its minute. */
static int64_t seconds_of(const struct tm *from) {
    uint64_t months = (uint64_t)((int64_t)from->tm_mon - 2) + 12 * YEARS, month = months % 12;
    uint64_t years = (uint64_t)((int64_t)from->tm_year + FIRST_YEAR) + months / 12 - YEARS + ERAS * ERA_YEARS;
    uint64_t in_era = years % ERA_YEARS, in_year = (153 * month + 2) / 5, leap_days = in_era / 4 + (3 - in_era / 100); /* and 3 more */
    int64_t days = (int64_t)(years / ERA_YEARS * ERA + 365 * in_era + leap_days + in_year) - (int64_t)(ERAS * ERA) - TO_MARCH_OF_YEAR_0 - 3;
    return (days + from->tm_mday - 1) * DAY + (int64_t)from->tm_hour * 3600 + (int64_t)from->tm_min * 60;
}

/* Like glibc it takes no date that fits only with its seconds, when those are no seconds of a minute. */
static time_t made(struct tm *date, const char *zone) {
    int64_t minute = seconds_of(date), second = date->tm_sec;
    int64_t within = second & ~(second >> 63), beyond = within - 59;
    if (!fits(minute + 59 + (beyond & beyond >> 63)) | !fits(minute + second)) {
        errno = EOVERFLOW;
        return -1;
    }
    break_down(minute + second, date, zone);
    return minute + second;
}

/* Whether the time zone is the one that every run begins with. */
static int is_utc(void) {
    const char *zone = getenv("TZ");
    return zone && zone[0] == 'U' && zone[1] == 'T' && zone[2] == 'C' && !zone[3];
}

static struct tm kept;

struct tm *veer_libc_gmtime_r(const time_t *from, struct tm *to) { return break_down(*from, to, "GMT") ? to : NULL; }
struct tm *veer_libc_gmtime(const time_t *from) { return veer_libc_gmtime_r(from, &kept); }

struct tm *veer_libc_localtime_r(const time_t *from, struct tm *to) {
    if (!is_utc()) return localtime_r(from, to);
    return break_down(*from, to, "UTC") ? to : NULL;
}

struct tm *veer_libc_localtime(const time_t *from) { return veer_libc_localtime_r(from, &kept); }

time_t veer_libc_timegm(struct tm *date) { return made(date, "GMT"); }
time_t veer_libc_mktime(struct tm *date) { return is_utc() ? made(date, "UTC") : mktime(date); }
time_t veer_libc_timelocal(struct tm *date) { return veer_libc_mktime(date); }
double veer_libc_difftime(time_t end, time_t begin) { return (double)(end - begin); }
