/* Files whose contents are inputs: those that a harness names, and those that the run asks for and nobody has made (files.h).

   Of the second kind the run learns with its first question whether there is such a file, and what is in it. The three inputs are called
   after the name, which is the same in all runs, or by a number where the name is an input itself:

       file "list.txt" is there      file "list.txt"      size of file "list.txt"
       file 1 is there               file 1               size of file 1

   Of a folder that the run goes to, folder "sources", there is the first alone. A parameter that is an open file has the same three, called after the parameter: file input, with `is there` for "it is not NULL" where the code asks for that. */
#include <stddef.h>
#include <stdint.h>

#include "files.h"
#include "libc.h"
#include "veer_harness.h"

enum { MOST_BYTES = 4 * STREAM_ROOM, MOST_ASKED = 16, MOST_GIVEN = 8, MOST_FOLDERS = 4, MOST_NAME = 96, ROOT_ROOM = MOST_NAME + 32 };

struct asked {
    char there[ROOT_ROOM], content[ROOT_ROOM], size[ROOT_ROOM];
};

static unsigned char pool[MOST_BYTES]; /* the bytes of all files that are inputs */
static size_t pool_used;
static struct asked asked[MOST_ASKED], given[MOST_GIVEN], folders[MOST_FOLDERS];
static unsigned asked_count, given_count, folder_count, unnamed_count;
static struct {
    unsigned most; /* files that nobody made and a run may ask for; 0: none of them is there */
    unsigned long size;
} allowed;

/* At most `size` bytes; as many as there is room for, which then is no bound that grows. */
static void make_content(struct node *node, const char *name, const char *size_name, unsigned long size, uint32_t bound) {
    struct veer_type type = {.id = UINT32_MAX, .kind = VEER_TYPE_UNSIGNED, .size = 4, .alignment = 4};
    size_t room = MOST_BYTES - pool_used, grown = bound ? veer_grown_bound(bound, size) : size;
    if (grown > room && bound == VEER_BOUND_FILE) veer_refuse("more bytes of files that are inputs than veer follows");
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
static int put_name(char *to, const char *kind, const char *name) {
    int is_constant = 0;
    if (veer_text_length(name, MOST_NAME, &is_constant) == MOST_NAME || !is_constant) return 0;
    put(put(put(put(to, kind), " \""), name), "\"");
    return veer_may_be_name(to);
}

static void name_content(struct asked *file, const char *kind, const char *name) {
    char number[3] = {0};
    if (!put_name(file->content, kind, name)) {
        unsigned count = ++unnamed_count;
        number[0] = (char)('0' + count / 10);
        number[1] = (char)('0' + count % 10);
        put(put(put(file->content, kind), " "), number[0] == '0' ? number + 1 : number);
    }
}

static int is_there(struct asked *file) {
    static const struct veer_type yes_or_no = {.id = UINT32_MAX, .kind = VEER_TYPE_BOOL, .size = 1, .alignment = 1, .high = 1};
    unsigned char answer = 0;
    put(put(file->there, file->content), " is there");
    veer_make(&answer, &yes_or_no, file->there);
    return answer;
}

static struct node *answer(struct asked *file, unsigned long size, int may_be_missing) {
    if (may_be_missing && !is_there(file)) return NULL;
    put(put(file->size, "size of "), file->content);
    struct node *node = veer_new_node(REGULAR);
    make_content(node, file->content, file->size, size, VEER_BOUND_FILE);
    return node;
}

struct node *veer_given_node(const char *name, unsigned long size, int may_be_none) {
    if (given_count == MOST_GIVEN) veer_refuse("more parameters that are files than veer follows");
    struct asked *file = &given[given_count++];
    put(put(file->content, "file "), name);
    return answer(file, size, may_be_none);
}

int veer_ask_for_folder(const char *name) {
    if (folder_count == MOST_FOLDERS || !allowed.most) veer_refuse("chdir");
    struct asked *folder = &folders[folder_count++];
    name_content(folder, "folder", name);
    return is_there(folder);
}

struct node *veer_ask_for_file(const char *name) {
    if (asked_count == allowed.most) {
        veer_come_to_bound(VEER_BOUND_FILES);
        return NULL;
    }
    struct asked *file = &asked[asked_count++];
    name_content(file, "file", name);
    return answer(file, allowed.size, 1);
}
