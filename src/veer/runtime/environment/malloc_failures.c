
/* -- memory ------------------------------------------------------------------------------------------------------------ */

enum { VEER_F_NO_MEMORY = 12 };
extern void *veer_f_malloc(unsigned long) __asm__("malloc");
extern void *veer_f_calloc(unsigned long, unsigned long) __asm__("calloc");
extern void *veer_f_realloc(void *, unsigned long) __asm__("realloc");
extern char *veer_f_strdup(const char *) __asm__("strdup");
extern char *veer_f_strndup(const char *, unsigned long) __asm__("strndup");

VEER_F_FUNCTION void *veer_input_malloc(unsigned long size) {
    return veer_f_fails("malloc() fails", VEER_F_NO_MEMORY) ? 0 : veer_f_malloc(size);
}

VEER_F_FUNCTION void *veer_input_calloc(unsigned long count, unsigned long size) {
    return veer_f_fails("calloc() fails", VEER_F_NO_MEMORY) ? 0 : veer_f_calloc(count, size);
}

/* What fails leaves the old block as it is. */
VEER_F_FUNCTION void *veer_input_realloc(void *old, unsigned long size) {
    return veer_f_fails("realloc() fails", VEER_F_NO_MEMORY) ? 0 : veer_f_realloc(old, size);
}

VEER_F_FUNCTION char *veer_input_strdup(const char *text) {
    return veer_f_fails("strdup() fails", VEER_F_NO_MEMORY) ? 0 : veer_f_strdup(text);
}

VEER_F_FUNCTION char *veer_input_strndup(const char *text, unsigned long most) {
    return veer_f_fails("strndup() fails", VEER_F_NO_MEMORY) ? 0 : veer_f_strndup(text, most);
}
