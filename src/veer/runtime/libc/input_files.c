/* Files whose contents are inputs: those that a harness names, and those that the run asks for and nobody has made (files.h).

   Of the second kind the run learns with its first question whether there is such a file, and what is in it. The three inputs are called
   after the name, which is the same in all runs, or by a number where the name is an input itself:

       file "list.txt" is there      file "list.txt"      size of file "list.txt"
       file 1 is there               file 1               size of file 1 */
#include <stddef.h>
#include <stdint.h>

#include "files.h"
#include "libc.h"
#include "veer_harness.h"

enum { MOST_BYTES = 4096, MOST_ASKED = 16, MOST_NAME = 128, ROOT_ROOM = MOST_NAME + 32 };

struct asked {
    char there[ROOT_ROOM], content[ROOT_ROOM], size[ROOT_ROOM];
};

static unsigned char pool[MOST_BYTES]; /* the bytes of all files that are inputs */
static size_t pool_used;
static struct asked asked[MOST_ASKED];
static unsigned asked_count, unnamed_count;
static struct {
    unsigned most; /* files that nobody made and a run may ask for; 0: none of them is there */
    unsigned long size;
} allowed;

/* At most `size` bytes; as many as there is room for, which then is no bound that grows. */
static void make_content(struct node *node, const char *name, const char *size_name, unsigned long size, uint32_t bound) {
    struct veer_type type = {.id = UINT32_MAX, .kind = VEER_TYPE_UNSIGNED, .size = 4, .alignment = 4};
    size_t room = MOST_BYTES - pool_used, grown = bound ? veer_grown_bound(bound, size) : size;
    if (grown <= room) type.bound = bound;
    unsigned bytes = (unsigned)(grown <= room ? grown : size < room ? size : room);
    node->kind = REGULAR;
    node->bytes = pool + pool_used;
    pool_used += bytes;
    if (!bytes) return;
    veer_make_symbolic(node->bytes, bytes, name, 1);
    type.high = type.bound ? size : bytes;
    veer_make(&bytes, &type, size_name);
    node->size = bytes;
}

/* Called by a harness: the root input `name` of at most `size` bytes, and how many there are as the root input `size_name`. */
void veer_symbolic_file(const char *name, const char *size_name, unsigned long size) {
    int is_input = veer_libc_strcmp(name, "stdin") == 0;
    struct node *node = is_input ? veer_input_node() : veer_new_node(REGULAR);
    make_content(node, name, size_name, size, is_input ? VEER_BOUND_INPUT : VEER_BOUND_NONE);
    if (!is_input) veer_name_node(name, node);
}

/* Called by a harness: so many files that nobody made may be there, of so many bytes each. */
void veer_allow_files(unsigned long most, unsigned long size) {
    size_t grown = veer_grown_bound(VEER_BOUND_FILES, most);
    allowed.most = grown < MOST_ASKED ? (unsigned)grown : MOST_ASKED;
    allowed.size = size;
}

int veer_has_input_files(void) { return allowed.most != 0; }

/* -- what the inputs are called --------------------------------------------------------------------------------------- */

static char *put(char *to, const char *text) {
    while (*text) *to++ = *text++;
    *to = 0;
    return to;
}

/* file "list.txt"; 0 where the name is an input, or too long. */
static int put_name(char *to, const char *name) {
    char now[MOST_NAME];
    size_t length = veer_copy_text(now, name, sizeof now);
    unsigned is_input = length == sizeof now;
    for (size_t k = 0; k < length; k++) is_input |= veer_is_symbolic((unsigned char)now[k]);
    if (is_input) return 0;
    put(put(put(to, "file \""), now), "\"");
    return 1;
}

static void name_roots(struct asked *file, const char *name) {
    char number[3] = {0};
    if (!put_name(file->content, name)) {
        unsigned count = ++unnamed_count;
        number[0] = (char)('0' + count / 10);
        number[1] = (char)('0' + count % 10);
        put(put(file->content, "file "), number[0] == '0' ? number + 1 : number);
    }
    put(put(file->there, file->content), " is there");
    put(put(file->size, "size of "), file->content);
}

struct node *veer_ask_for_file(const char *name) {
    static const struct veer_type yes_or_no = {.id = UINT32_MAX, .kind = VEER_TYPE_BOOL, .size = 1, .alignment = 1, .high = 1};
    unsigned char is_there = 0;
    if (asked_count == allowed.most) {
        veer_come_to_bound(VEER_BOUND_FILES);
        return NULL;
    }
    struct asked *file = &asked[asked_count++];
    name_roots(file, name);
    veer_make(&is_there, &yes_or_no, file->there);
    if (!is_there) return NULL;
    struct node *node = veer_new_node(REGULAR);
    make_content(node, file->content, file->size, allowed.size, VEER_BOUND_FILE);
    return node;
}
