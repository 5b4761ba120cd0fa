/* Call sequences: the recorded calls in their order, on the objects that they were made on. Which objects were alive then is not asked
   again: the record says which one was chosen. */
#include <stdlib.h>

#include "replay.h"
#include "veer_wire.h"

enum { OBJECTS = 4096 };

static struct {
    const void *address;
    uint32_t pool, number;
} objects[OBJECTS];
static uint32_t object_count;
static const struct veer_replay_call *current; /* NULL: before the first call */
static uint32_t taken;                    /* receivers of the current call */
static uint32_t receiver;                 /* index + 1 of the object that the current call was given first */

static void append(uint32_t number) { veer_replay_append(&number, sizeof number); }

static uint32_t find(uint32_t pool, uint32_t number) {
    for (uint32_t k = 0; k < object_count; k++)
        if (objects[k].pool == pool && objects[k].number == number) return k;
    return OBJECTS;
}

static uint32_t add(uint32_t pool, uint32_t number, const void *address) {
    if (object_count == OBJECTS) abort();
    objects[object_count].pool = pool;
    objects[object_count].number = number;
    objects[object_count].address = address;
    return object_count++;
}

uint64_t veer_replay_pool_object(uint32_t pool, uint32_t number) {
    uint32_t place = find(pool, number);
    return place == OBJECTS ? 0 : (uint64_t)(uintptr_t)objects[place].address;
}

void veer_replay_tell_pools(void) {
    for (uint32_t k = 0; k < object_count; k++)
        veer_replay_output(VEER_OUTPUTKIND_POOL, objects[k].pool << 16 | objects[k].number, objects[k].address, 0);
}

void veer_sequence(const struct veer_callee *callees, const struct veer_step *steps, uint32_t step_count, uint32_t most) {
    (void)steps, (void)step_count, (void)most;
    veer_replay_address(0); /* so that blocks of now on are filled, whether there are inputs or not */
    for (uint32_t k = 0; k < veer_replay_data->call_count; k++) {
        current = veer_replay_call(k);
        taken = receiver = 0;
        callees[current->callee].run();
    }
}

void veer_called(uint32_t callee) { append(callee); }

/* The number of the current call's next receiver. */
static uint32_t next_receiver(void) {
    uint32_t place = taken++;
    return current && place < current->receiver_count ? veer_replay_receiver(current->first_receiver + place) : 0;
}

void *veer_receiver(uint32_t pool, const char *name) {
    uint32_t number = next_receiver(), place = find(pool, number);
    (void)name;
    append(place == OBJECTS ? 0 : number);
    if (place == OBJECTS) veer_replay_end(REPLAY_REFUSED, 0);
    if (!receiver) receiver = place + 1;
    return (void *)(uintptr_t)objects[place].address;
}

void *veer_new_receiver(uint32_t pool, uint64_t size) {
    void *address = size ? calloc(1, size) : NULL;
    uint32_t number = current ? next_receiver() : 1;
    add(pool, number, address);
    append(number);
    return address;
}

/* What a call returned has the number that it had in the recorded run; if it is another object, none that there is. */
void veer_made(uint32_t pool, const void *object) {
    uint32_t number = current->made, place = find(pool, number);
    if (!object) append(0);
    else if (number && place == OBJECTS) append(objects[add(pool, number, object)].number);
    else append(number && objects[place].address == object ? number : UINT32_MAX);
}

void veer_replaced(uint32_t pool, const void *object) {
    if (receiver && objects[receiver - 1].pool == pool) objects[receiver - 1].address = object;
}

void veer_unset(void *object, uint64_t size) { (void)object, (void)size; }
void veer_set_up(void *object, uint64_t size) { (void)object, (void)size; }
void veer_ended(void) {} /* no recorded call is made on it any more */
