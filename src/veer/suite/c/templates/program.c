
/* Standard input for a whole program: a file in memory with these bytes, which can be read alone where the kernel shows it. */
VEER_UNUSED static void veer_standard_input(const char *bytes, unsigned long size)
{
    int file = libc_memfd_create("stdin", 0);
    int reading;
    if (file < 0 || libc_write(file, bytes, size) != (long)size || libc_lseek(file, 0, 0) != 0)
        libc_abort();
    libc_dup2(file, 0);
    reading = libc_open64("/proc/self/fd/0", 0);
    if (reading >= 0)
        libc_dup2(reading, 0);
    libc_close(reading);
    libc_close(file);
}
