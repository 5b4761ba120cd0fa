
/* -- files ------------------------------------------------------------------------------------------------------------- */

enum { VEER_F_NO_ENTRY = 2, VEER_F_BROKEN = 5, VEER_F_FULL = 28 };
extern void *veer_f_fopen(const char *, const char *) __asm__("fopen");
extern long veer_f_read(int, void *, unsigned long) __asm__("read");
extern long veer_f_write(int, const void *, unsigned long) __asm__("write");

VEER_F_FUNCTION void *veer_input_fopen(const char *name, const char *mode) {
    return veer_f_fails("fopen() fails", VEER_F_NO_ENTRY) ? 0 : veer_f_fopen(name, mode);
}

/* A short one moves one byte where there may be more. */
static unsigned long veer_f_moved(const char *input, unsigned long size) {
    int is_short = 0;
    if (size < 2) return size;
    VEER_F_ASK(&is_short, input);
    return is_short ? 1 : size;
}

VEER_F_FUNCTION long veer_input_read(int file, void *to, unsigned long size) {
    if (veer_f_fails("read() fails", VEER_F_BROKEN)) return -1;
    return veer_f_read(file, to, veer_f_moved("read() is short", size));
}

VEER_F_FUNCTION long veer_input_write(int file, const void *from, unsigned long size) {
    if (veer_f_fails("write() fails", VEER_F_FULL)) return -1;
    return veer_f_write(file, from, veer_f_moved("write() is short", size));
}
