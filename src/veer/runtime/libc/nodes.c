/* The files of a run: their names and contents, those that are inputs among them (files.h). */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>

#include "files.h"
#include "libc.h"
#include "veer_harness.h"

enum { MOST_BYTES = 4096, LEAST_ROOM = 256, USUAL_MODE = 0644 };

struct name {
    char *text; /* NULL: no name */
    struct node *node;
};

static unsigned char pool[MOST_BYTES]; /* the bytes of all files that are inputs */
static size_t pool_used;
static struct node nodes[MOST_NODES] = {{.kind = INPUT_END, .links = 1, .mode = 0600}, {.kind = NOTHING_THERE, .links = 1, .mode = 0666}};
static struct name names[MOST_NODES];

struct node *veer_input_node(void) { return &nodes[0]; }

/* Called by a harness: the root input `name` of at most `size` bytes, and how many there are as the root input `size_name`. Standard
   input may have grown. */
void veer_symbolic_file(const char *name, const char *size_name, unsigned long size) {
    int is_input = veer_libc_strcmp(name, "stdin") == 0;
    struct node *node = is_input ? veer_input_node() : veer_new_node(REGULAR);
    struct veer_type type = {.id = UINT32_MAX, .kind = VEER_TYPE_UNSIGNED, .size = 4, .alignment = 4};
    size_t room = MOST_BYTES - pool_used, grown = is_input ? veer_grown_bound(VEER_BOUND_INPUT, size) : size;
    if (is_input && grown <= room) type.bound = VEER_BOUND_INPUT;
    unsigned bytes = (unsigned)(grown <= room ? grown : size < room ? size : room);
    node->kind = REGULAR;
    node->bytes = pool + pool_used;
    pool_used += bytes;
    if (!is_input) veer_name_node(name, node);
    if (!bytes) return;
    veer_make_symbolic(node->bytes, bytes, name, 1);
    type.high = type.bound ? size : bytes;
    veer_make(&bytes, &type, size_name);
    node->size = bytes;
}

size_t veer_fixed(size_t number) {
    size_t low = 0, high = SIZE_MAX;
    if (!veer_is_symbolic(number)) return number;
    for (size_t bound = 1; bound; bound <<= 1) {
        if (number >= bound) continue;
        high = bound - 1;
        break;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (number <= middle) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* -- names ------------------------------------------------------------------------------------------------------------ */

/* Without what changes no place: a "./" at the beginning. */
static const char *plain(const char *name) {
    while (name[0] == '.' && name[1] == '/' && name[2]) name += 2;
    return name;
}

static struct name *find(const char *text) {
    for (struct name *name = names; name < names + MOST_NODES; name++)
        if (name->text && veer_libc_strcmp(name->text, plain(text)) == 0) return name;
    return NULL;
}

struct node *veer_node_named(const char *text) {
    struct name *found = find(text);
    if (found) return found->node;
    return veer_libc_strcmp(text, "/dev/null") == 0 ? &nodes[1] : NULL;
}

struct node *veer_new_node(enum node_kind kind) {
    for (struct node *node = nodes; node < nodes + MOST_NODES; node++) {
        if (node->kind != UNUSED) continue;
        *node = (struct node){.kind = kind, .mode = USUAL_MODE};
        return node;
    }
    veer_refuse("more files at a time than veer follows");
}

void veer_name_node(const char *text, struct node *node) {
    const char *from = plain(text);
    size_t length = veer_libc_strlen(from) + 1;
    veer_forget_name(text);
    struct name *name = names;
    while (name < names + MOST_NODES && name->text) name++;
    if (name == names + MOST_NODES) veer_refuse("more names of files than veer follows");
    name->text = veer_malloc(length);
    if (!name->text) veer_refuse("no memory for the name of a file");
    veer_memcpy(name->text, from, length);
    name->node = node;
    node->links++;
}

int veer_forget_name(const char *text) {
    struct name *name = find(text);
    if (!name) return -1;
    veer_free(name->text);
    name->text = NULL;
    name->node->links--;
    veer_drop_node(name->node);
    return 0;
}

void veer_drop_node(struct node *node) {
    if (node->links || node->uses || node->kind == OUTSIDE) return;
    if (node->room) veer_free(node->bytes);
    node->kind = UNUSED;
}

/* -- contents --------------------------------------------------------------------------------------------------------- */

void veer_change_node(struct node *node, const void *held) {
    unsigned own = held && veer_stream_reads(held, node);
    if (node->stream_readers > own) veer_refuse("a file is changed while a stream reads it");
}

void veer_resize_node(struct node *node, size_t size) {
    size_t old = node->size = veer_fixed(node->size);
    if (size > node->room && size > old) {
        size_t room = size < LEAST_ROOM ? LEAST_ROOM : size + size / 2;
        unsigned char *bytes = veer_malloc(room);
        if (!bytes) veer_refuse("a file that is larger than memory");
        if (old) veer_memcpy(bytes, node->bytes, old);
        if (node->room) veer_free(node->bytes);
        node->bytes = bytes;
        node->room = room;
    }
    if (size > old) veer_memset(node->bytes + old, 0, size - old);
    node->size = size;
}

size_t veer_copy_out(struct node *node, size_t position, void *to, size_t size) {
    node->size = veer_fixed(node->size);
    size_t left = position < node->size ? node->size - position : 0;
    if (size > left) size = left;
    size = veer_fixed(size);
    if (size) veer_memcpy(to, node->bytes + position, size);
    return size;
}

void veer_copy_in(struct node *node, size_t position, const void *from, size_t size) {
    node->size = veer_fixed(node->size);
    if (!size) return;
    if (position + size > node->size) veer_resize_node(node, position + size);
    veer_memcpy(node->bytes + position, from, size);
}
