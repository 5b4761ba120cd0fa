/* Objects: what may be accessed, and what an access outside of them is called. */
#include "brute.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OBJECTS = 1 << 20, MAX_GLOBALS = 4096, MAX_MARKS = 70000, MAX_EXPIRED = 64, RED_ZONE = 64 };
enum { ARENA_SIZE = 1 << 26 };
enum state { LIVE, LIVE_HEAP, FREED };

struct object {
    char *base;
    uint64_t size;
    enum state state;
};

static struct object objects[MAX_OBJECTS], expired[MAX_EXPIRED];
static uint32_t object_count, global_count, expired_count, marks[MAX_MARKS], mark_count;
static char *global_copies[MAX_GLOBALS];
static char *arena;
static uint64_t arena_used;

void bf_depth(int change);

static void add(void *base, uint64_t size, enum state state) {
    if (object_count == MAX_OBJECTS)
        bf_end(BF_STACK);
    objects[object_count].base = base;
    objects[object_count].size = size;
    objects[object_count].state = state;
    object_count++;
}

void bf_global(void *address, uint64_t size, uint32_t is_writable) {
    if (global_count == MAX_GLOBALS)
        abort();
    if (is_writable) {
        global_copies[global_count] = malloc(size ? size : 1);
        memcpy(global_copies[global_count], address, size);
    }
    add(address, size, LIVE);
    global_count = object_count;
}

/* Back to the state before the first run: globals, heap, locals. */
void bf_memory_reset(void) {
    for (uint32_t i = 0; i < global_count; i++)
        if (global_copies[i])
            memcpy(objects[i].base, global_copies[i], objects[i].size);
    object_count = global_count;
    expired_count = mark_count = 0;
    if (!arena)
        arena = malloc(ARENA_SIZE);
    arena_used = 0;
}

/* Zeroed memory with red zones; no address is used twice in a run. */
static void *carve(uint64_t size, enum state state) {
    char *base = arena + arena_used + RED_ZONE;
    if (size > ARENA_SIZE || arena_used + size + 2 * RED_ZONE + 16 > ARENA_SIZE)
        return NULL;
    arena_used += (size + 2 * RED_ZONE + 15) / 16 * 16;
    memset(base - RED_ZONE, 0, size + 2 * RED_ZONE);
    add(base, size, state);
    return base;
}

void *bf_new_object(uint64_t size) {
    return carve(size, LIVE_HEAP);
}

void *bf_alloca(uint64_t count, uint64_t size) {
    void *object = carve(count * size, LIVE);
    if (!object)
        bf_end(BF_STACK);
    return object;
}

void bf_local(void *object, uint64_t size) {
    memset(object, 0, size);
    add(object, size, LIVE);
}

/* A struct that was passed by value in memory: an object of the callee's, with its contents. */
void bf_argument(void *object, uint64_t size) {
    add(object, size, LIVE);
}

/* Which function is entered is a part of the path: a table may have led to it. */
void bf_enter(uint32_t function) {
    bf_mix_graph(function + 1);
    bf_depth(1);
    marks[mark_count++] = object_count;
}

/* The frame's locals expire; heap objects made since then stay. */
void bf_leave(void) {
    uint32_t from = marks[--mark_count], kept = from;
    for (uint32_t i = from; i < object_count; i++) {
        if (objects[i].state == LIVE)
            expired[expired_count++ % MAX_EXPIRED] = objects[i];
        else
            objects[kept++] = objects[i];
    }
    object_count = kept;
    bf_depth(-1);
}

static struct object *object_at(const char *address) {
    for (uint32_t i = object_count; i-- > 0;)
        if (objects[i].base == address)
            return &objects[i];
    return NULL;
}

uint64_t bf_object_size(const void *address) {
    struct object *object = object_at(address);
    return object ? object->size : 0;
}

void bf_free_object(void *address) {
    struct object *object = object_at(address);
    if (!address)
        return;
    if (object)
        bf_follow(object->base, 1);
    if (!object || object->state == LIVE)
        bf_end(BF_BAD_FREE);
    if (object->state == FREED)
        bf_end(BF_DOUBLE_FREE);
    object->state = FREED;
}

static int is_inside(const struct object *object, const char *address, uint64_t size) {
    return address >= object->base && size <= object->size && (uint64_t)(address - object->base) <= object->size - size;
}

static int is_near(const struct object *object, const char *address) {
    return address + RED_ZONE >= object->base && address < object->base + object->size + RED_ZONE;
}

/* The object that an access leaves: a pointer to it was followed. */
static void leave(const struct object *object, enum bf_outcome outcome) {
    bf_follow(object->base, 1);
    bf_end(outcome);
}

static _Noreturn void outside(const char *address, uint32_t is_store) {
    uint32_t known = expired_count < MAX_EXPIRED ? expired_count : MAX_EXPIRED;
    if ((uintptr_t)address < 65536)
        bf_end(BF_NULL);
    for (uint32_t i = object_count; i-- > 0;)
        if (objects[i].state == FREED && is_inside(&objects[i], address, 1))
            leave(&objects[i], BF_USE_AFTER_FREE);
    for (uint32_t i = 0; i < known; i++)
        if (is_inside(&expired[i], address, 1))
            bf_end(BF_USE_AFTER_FREE);
    for (uint32_t i = object_count; i-- > 0;)
        if (is_near(&objects[i], address))
            leave(&objects[i], is_store ? BF_WRITE : BF_READ);
    bf_end(BF_WILD);
}

static void access(const char *address, uint64_t size, uint32_t is_store, uint32_t is_librarys) {
    if (size == 0)
        return;
    for (uint32_t i = object_count; i-- > 0;)
        if (objects[i].state != FREED && is_inside(&objects[i], address, size)) {
            bf_follow(objects[i].base, !is_librarys);
            bf_decide(address, size, is_store);
            return;
        }
    outside(address, is_store);
}

void bf_access(const void *address, uint64_t size, uint32_t is_store) {
    access(address, size, is_store, 0);
}

void bf_library_access(const void *address, uint64_t size, uint32_t is_store) {
    access(address, size, is_store, 1);
}
