
/* Standard input for a whole program: a file in memory with these bytes. */
VEER_UNUSED static void veer_standard_input(const char *bytes, unsigned long size)
{
    int file = libc_memfd_create("stdin", 0);
    if (file < 0 || libc_write(file, bytes, size) != (long)size || libc_lseek(file, 0, 0) != 0)
        libc_abort();
    libc_dup2(file, 0);
    libc_close(file);
}
