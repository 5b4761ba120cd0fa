/* The files of a run: their names and contents (files.h). */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>

#include "files.h"
#include "libc.h"
#include "veer_harness.h"

enum { LEAST_ROOM = 256, USUAL_MODE = 0644, MOST_NAME = 4096 };
static const char NOTHING[] = "/dev/null";

struct name {
    char *text;        /* NULL: no name */
    struct node *node; /* NULL: the run knows that there is no such file */
    unsigned place;    /* the folder in which the run asked for it: so many changes of the folder came before */
};

static struct node nodes[MOST_NODES] = {{.kind = INPUT_END, .links = 1, .mode = 0600}, {.kind = NOTHING_THERE, .links = 1, .mode = 0666}};
static struct name names[MOST_NODES];
static unsigned place;

struct node *veer_input_node(void) { return &nodes[0]; }

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

void veer_leave_folder(void) { place++; }

static struct name *here(struct name *name) {
    if (name->place != place && *name->text != '/') veer_refuse("a name of a file that the run knows in another directory");
    return name;
}

/* What was kept of an input that is a name here again is told first, without a question for each of its bytes. */
static struct name *find(const char *text) {
    for (struct name *name = names; name < names + MOST_NODES; name++)
        if (name->text && veer_is_same_text(name->text, text)) return here(name);
    for (struct name *name = names; name < names + MOST_NODES; name++)
        if (name->text && veer_libc_strcmp(plain(name->text), plain(text)) == 0) return here(name);
    return NULL;
}

/* Of a name that is an input this asks nothing but in a run that gives it these bytes. */
static int is_nothing(const char *text) { return veer_is_text(text, NOTHING) && veer_libc_strcmp(text, NOTHING) == 0; }

struct node *veer_node_named(const char *text) {
    struct name *found = find(text);
    if (found) return found->node;
    return is_nothing(text) ? &nodes[1] : NULL;
}

struct node *veer_node_asked(const char *text) {
    struct name *found = find(text);
    if (found && found->node && found->node->kind == FOLDER) veer_refuse("a directory is looked at");
    if (found) return found->node;
    if (is_nothing(text)) return &nodes[1];
    if (!*text || !veer_has_input_files()) return NULL;
    struct node *node = veer_ask_for_file(text);
    veer_name_node(text, node);
    return node;
}

struct node *veer_folder_asked(const char *text) {
    struct name *found = find(text);
    struct node *node = found ? found->node : NULL;
    if (!found && *text && veer_ask_for_folder(text)) node = veer_new_node(FOLDER);
    if (!found && *text) veer_name_node(text, node);
    if (!node) errno = ENOENT;
    else if (node->kind != FOLDER) errno = ENOTDIR;
    return node && node->kind == FOLDER ? node : NULL;
}

struct node *veer_new_node(enum node_kind kind) {
    for (struct node *node = nodes; node < nodes + MOST_NODES; node++) {
        if (node->kind != UNUSED) continue;
        *node = (struct node){.kind = kind, .mode = USUAL_MODE};
        return node;
    }
    veer_refuse("more files at a time than veer follows");
}

/* The name as it is in this run: nothing is decided about it. */
static char *kept(const char *text) {
    int is_constant;
    size_t length = veer_text_length(text, MOST_NAME, &is_constant);
    if (length == MOST_NAME) veer_refuse("a name of a file that is longer than veer follows");
    char *copy = veer_malloc(length + 1);
    if (!copy) veer_refuse("no memory for the name of a file");
    veer_copy_text(copy, text, length + 1);
    return copy;
}

static struct name *unused_name(void) {
    for (struct name *name = names; name < names + MOST_NODES; name++)
        if (!name->text) return name;
    veer_refuse("more names of files than veer follows");
}

void veer_name_node(const char *text, struct node *node) {
    struct name *name = find(text);
    struct node *old = name ? name->node : NULL;
    if (!name) {
        name = unused_name();
        name->text = kept(text);
        name->place = place;
    }
    name->node = node;
    if (node) node->links++;
    if (!old) return;
    old->links--;
    veer_drop_node(old);
}

int veer_forget_name(const char *text) {
    struct name *name = find(text);
    if (!name || !name->node) return -1;
    veer_name_node(text, NULL);
    if (veer_has_input_files()) return 0;
    veer_free(name->text);
    name->text = NULL;
    return 0;
}

unsigned veer_number_of(const struct node *node) { return (unsigned)(node - nodes) + 1; }

void veer_drop_node(struct node *node) {
    if (node->links || node->uses || node->kind == OUTSIDE) return;
    if (node->room) veer_free(node->bytes);
    node->kind = UNUSED;
}

/* -- contents --------------------------------------------------------------------------------------------------------- */

void veer_change_node(struct node *node, unsigned held) {
    unsigned own = held && veer_stream_reads(held, node);
    if (node->stream_readers > own) veer_refuse("a file is changed while a stream reads it");
}

void veer_resize_node(struct node *node, size_t size) {
    if (!size) {
        node->size = 0;
        return;
    }
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
