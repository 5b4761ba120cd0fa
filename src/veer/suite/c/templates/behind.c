
/* ---- what recorded functions wrote behind the pointers that they were given ----------------------------------- */

/* The input is called "read_frame() argument 1", of a later call "read_frame()#1 argument 1". Where the function left the first bytes as they
   were, an offset follows: "+4". */
VEER_UNUSED static void veer_write_behind(void *place, const char *function, unsigned long argument, unsigned long call)
{
    unsigned long i, length = libc_strlen(function);
    for (i = 0; i < veer_input_count; i++) {
        const char *name = veer_inputs[i].name;
        char *at = (char *)name + length;
        if (libc_strncmp(name, function, length) != 0 || (*at == '#' ? libc_strtoul(at + 1, &at, 10) : 0) != call ||
            libc_strncmp(at, " argument ", 10) != 0 || libc_strtoul(at + 10, &at, 10) != argument)
            continue;
        __builtin_memcpy((char *)place + (*at == '+' ? libc_strtoul(at + 1, NULL, 10) : 0), veer_inputs[i].bytes, veer_inputs[i].size);
        return;
    }
}
