/* What the files about streams share. */
#ifndef VEER_FILES_H
#define VEER_FILES_H
#include <stdio.h>
#include <sys/types.h>

int veer_is_own_stream(FILE *stream);
/* read(2) from standard input. */
ssize_t veer_read_input(void *to, size_t size);
#endif
