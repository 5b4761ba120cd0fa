/* The inputs that a harness asks for: found by name, and by how often that name was asked for before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"
#include "stub_names.h"

enum { ROOTS = 1024, BLOCK = 8 };

static struct {
    char name[REPLAY_NAME + 16];
    uint32_t count;
} asked[ROOTS];

static const struct veer_replay_root *find(const char *name, uint32_t occurrence) {
    for (uint32_t k = 0; k < veer_replay_data->root_count; k++) {
        const struct veer_replay_root *root = veer_replay_root(k);
        if (root->occurrence == occurrence && strcmp(veer_replay_bytes(root->name), name) == 0) return root;
    }
    return NULL;
}

static uint32_t next_occurrence(const char *name) {
    uint32_t k = 0;
    while (k < ROOTS - 1 && asked[k].name[0] && strncmp(asked[k].name, name, sizeof asked[k].name - 1) != 0) k++;
    strncpy(asked[k].name, name, sizeof asked[k].name - 1);
    return asked[k].count++;
}

int veer_replay_has(const char *name, uint32_t occurrence) { return find(name, occurrence) != NULL; }

const struct veer_replay_root *veer_replay_find(const char *name) { return find(name, 0); }

const struct veer_replay_root *veer_replay_take(const char *name) {
    const struct veer_replay_root *root = find(name, next_occurrence(name));
    /* Of a name that is an input itself the campaign knew no variable. */
    if (!root && strncmp(name, "getenv(\"", 8) == 0) return veer_replay_take("getenv()");
    return root;
}

/* Numbers that are asked for are counted: a run that asks for more or fewer of them than the recorded one is another run. */
static void count(const char *name) {
    struct veer_replay_record *record = veer_replay_record;
    uint32_t k = 0;
    while (k < record->asked_count && strcmp(record->asked[k].name, name) != 0) k++;
    if (k == REPLAY_NAMES || strlen(name) >= REPLAY_NAME) return;
    strcpy(record->asked[k].name, name);
    record->asked[k].count++;
    if (k == record->asked_count) record->asked_count++;
}

void veer_make(void *cell, const struct veer_type *type, const char *name) {
    veer_replay_learn(type);
    const struct veer_replay_root *root = veer_replay_take(name);
    if (type->kind <= VEER_TYPE_FLOAT) count(name);
    veer_replay_fill(cell, type->size, root);
    /* A pointer of a harness interface is no part of the unit's types: a block of its own, of which nothing is known. */
    if (type->id == UINT32_MAX && type->kind == VEER_TYPE_POINTER && *(uint64_t *)cell) *(void **)cell = calloc(1, type->maximum);
    veer_replay_keep_counters();
}

void veer_make_symbolic(void *cell, uint64_t size, const char *name, uint64_t element) {
    (void)element;
    veer_replay_fill(cell, (uint32_t)size, veer_replay_take(name ? name : "input"));
}

/* Of runs that end there nothing is replayed; the functions of --inputs name it. */
__attribute__((weak)) _Noreturn void veer_refuse(const char *what) {
    (void)what;
    abort();
}

/* What the instrumenter makes calls of veer_make_symbolic, as functions. */
__attribute__((weak)) void klee_make_symbolic(void *object, uint64_t size, const char *name) { veer_make_symbolic(object, size, name, 0); }
__attribute__((weak)) void veer_input(void *object, uint64_t size, const char *name) { veer_make_symbolic(object, size, name, 0); }

uint64_t veer_choose(uint64_t count, const char *name) {
    uint64_t value = 0;
    if (count < 2) return 0;
    veer_replay_fill(&value, sizeof value, veer_replay_take(name));
    return value;
}

/* The choices of the recorded run: one that it did not make is 0. */
void veer_before(void (*const *calls)(void), uint32_t count, void (*set_free)(void)) {
    uint64_t next;
    if (set_free && veer_choose(2, "state()")) {
        set_free();
        return;
    }
    while (count && (next = veer_choose(count + 1, "before()"))) calls[next - 1]();
}

/* An argument of a whole program: that it is there is known from argc; one that the recorded run never looked at is empty. */
void veer_symbolic_argument(char **place, const struct veer_type *type, const char *name, int is_there) {
    if (!is_there) return;
    veer_make(place, type, name);
    if (!*place) *place = calloc(1, 1);
}

/* All values are concrete here. */
uint32_t veer_is_symbolic(uint64_t value) {
    (void)value;
    return 0;
}

void veer_needs(const void *place, uint64_t size) { (void)place, (void)size; }

/* As in the recorded run, which has inputs of theirs or none. */
uint32_t veer_clocks_are_inputs(void) {
    static const char *const names[] = {"time()", "gettimeofday()", "clock_gettime()", "clock()"};
    for (uint32_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (veer_replay_find(names[k])) return 1;
    return 0;
}

/* Bounds, and when pointers are decided: the recorded inputs have it behind them. */
void veer_set_bounds(uint32_t graph_depth, uint32_t maximum_objects) { (void)graph_depth, (void)maximum_objects; }
void veer_set_root_depth(uint32_t depth) { (void)depth; }
/* What the recorded stub wrote. */
void veer_stub_writes(void *place, uint32_t element, const struct veer_type *type, const char *stub, uint32_t argument, uint32_t call) {
    char name[VEER_STUB_NAME_ROOM];
    const char *end = veer_stub_name(name, stub, call, argument);
    (void)element;
    if (type) veer_replay_learn(type);
    for (uint32_t k = 0; end && k < veer_replay_data->root_count; k++) {
        const struct veer_replay_root *root = veer_replay_root(k);
        const char *text = veer_replay_bytes(root->name), *behind = text + (end - name);
        if (strncmp(text, name, (size_t)(end - name)) != 0 || (*behind && *behind != '+')) continue;
        veer_replay_fill((char *)place + (*behind ? strtoull(behind + 1, NULL, 10) : 0), root->size, root);
        return;
    }
}

/* All numbers and texts in their order, then all floats: the callee counts registers of either kind. */
void veer_rest(void *cell, long long *numbers, double *reals) {
    char name[] = "...0.real";
    const char *list = *(const char *const *)cell;
    for (uint32_t k = 0; list && k < VEER_MOST_REST; k++) {
        name[3] = (char)('0' + k);
        if (veer_replay_has(name, 0)) memcpy(reals++, list + k * BLOCK, BLOCK);
        else memcpy(numbers++, list + k * BLOCK, BLOCK);
    }
}

void veer_give(const void *pointer) { (void)pointer; }
void veer_set_eager(void) {}
void veer_unfold(void) {}
void veer_set_settled(void) {}
void veer_settle_roots(void) {}
