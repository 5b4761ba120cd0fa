/* ---- the time zone -------------------------------------------------------------------------------------------- */

extern int libc_setenv(const char *, const char *, int) __asm__("setenv");

/* Tests were recorded in UTC; what they expect of localtime and mktime holds there. */
__attribute__((__constructor__)) static void veer_set_zone(void)
{
    libc_setenv("TZ", "UTC", 1);
}
