/* Parameters that are open files: a stream, or a descriptor, at the beginning of a file whose content is an input. */
#include <fcntl.h>

#include "files.h"

int veer_given_descriptor(const char *name, unsigned long size, int may_be_none) {
    struct node *node = veer_given_node(name, size, may_be_none);
    return node ? veer_open_node(node, O_RDWR) : -1;
}

FILE *veer_given_stream(const char *name, unsigned long size, int may_be_none) {
    int number = veer_given_descriptor(name, size, may_be_none);
    return number < 0 ? NULL : veer_stream_on(number, "r+");
}
