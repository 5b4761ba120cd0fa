/* The two files of a replay, mapped. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay.h"

enum { CANNOT_START = 126 };

const struct veer_replay_header *veer_replay_data;
struct veer_replay_record *veer_replay_record;

/* A descriptor that was inherited goes by its name in /proc. Whoever calls this closes it: the test's own begin with 3. */
static int opened(const char *name, int flags) {
    static const char inherited[] = "/proc/self/fd/";
    return strncmp(name, inherited, sizeof inherited - 1) == 0 ? atoi(name + sizeof inherited - 1) : open(name, flags | O_CLOEXEC);
}

static void *mapped(const char *name, int flags, int protection, int sharing, size_t least) {
    struct stat status;
    int file = opened(name, flags);
    void *memory = MAP_FAILED;
    if (file >= 0 && fstat(file, &status) == 0 && (size_t)status.st_size >= least)
        memory = mmap(NULL, (size_t)status.st_size, protection, sharing, file, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "veer-replay: %s cannot be mapped\n", name);
        _exit(CANNOT_START);
    }
    close(file);
    return memory;
}

void veer_replay_map(const char *data, const char *record) {
    veer_replay_data = mapped(data, O_RDONLY, PROT_READ, MAP_PRIVATE, sizeof *veer_replay_data);
    veer_replay_record = mapped(record, O_RDWR, PROT_READ | PROT_WRITE, MAP_SHARED, sizeof *veer_replay_record);
    if (veer_replay_data->magic != REPLAY_MAGIC) _exit(CANNOT_START);
    veer_replay_record->state = REPLAY_BEGUN;
}

const void *veer_replay_bytes(uint32_t place) { return (const char *)veer_replay_data + place; }

const struct veer_replay_root *veer_replay_root(uint32_t index) { return (const struct veer_replay_root *)(veer_replay_data + 1) + index; }

const struct veer_replay_object *veer_replay_object(uint32_t number) {
    return (const struct veer_replay_object *)veer_replay_root(veer_replay_data->root_count) + number - 1;
}

const struct veer_replay_link *veer_replay_link(uint32_t index) {
    return (const struct veer_replay_link *)veer_replay_object(veer_replay_data->object_count + 1) + index;
}

const struct veer_replay_call *veer_replay_call(uint32_t index) {
    return (const struct veer_replay_call *)veer_replay_link(veer_replay_data->link_count) + index;
}

const struct veer_replay_made *veer_replay_made(uint32_t index) {
    const uint32_t *receivers = (const uint32_t *)veer_replay_call(veer_replay_data->call_count);
    return (const struct veer_replay_made *)(receivers + veer_replay_data->receiver_count) + index;
}

uint32_t veer_replay_receiver(uint32_t index) { return ((const uint32_t *)veer_replay_call(veer_replay_data->call_count))[index]; }
