/* The runtime of the counters build: one byte an edge, in a file that the replayer reads, so that a crash loses nothing.

       offset 0           veer_edge_hits[VEER_COUNTED_EDGES]     1 = this edge was taken
       offset 0x1000000   veer_counter_hash (u64)                the path's hash, as struct veer_hot's path_hash
       offset 0x1001000   veer_line_hits[VEER_COUNTED_LINES]     1 = this line was run

   The file named by VEER_COUNTERS is mapped over the array before main; without it the program runs all the same. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define VEER_COUNTED_EDGES 0x1000000
#define VEER_COUNTERS_PAGE 4096
#define VEER_COUNTED_LINES 0x400000
#define VEER_COUNTERS_SIZE (VEER_COUNTED_EDGES + VEER_COUNTERS_PAGE + VEER_COUNTED_LINES)

/* All names lie in one area, so that one mapping covers them: C cannot say that, the assembler can. */
__attribute__((aligned(VEER_COUNTERS_PAGE), used)) uint8_t veer_counter_area[VEER_COUNTERS_SIZE];
__asm__(".globl veer_edge_hits\n"
        ".set veer_edge_hits, veer_counter_area\n"
        ".globl veer_counter_hash\n"
        ".set veer_counter_hash, veer_counter_area + 0x1000000\n"
        ".globl veer_line_hits\n"
        ".set veer_line_hits, veer_counter_area + 0x1001000\n");

/* The first value of each local variable that is read before it is set (instrument/unwritten.py). */
uint8_t veer_unwritten_memory[256];

/* Maps the file over the counters; runs before the constructors of the program under test. */
__attribute__((constructor(101))) static void veer_map_counters(void) {
    const char *name = getenv("VEER_COUNTERS");
    if (!name) return;
    static const char inherited[] = "/proc/self/fd/"; /* a descriptor by its name: the test's own begin with 3 once it is closed */
    int is_inherited = strncmp(name, inherited, sizeof inherited - 1) == 0;
    int file = is_inherited ? atoi(name + sizeof inherited - 1) : open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (ftruncate(file, VEER_COUNTERS_SIZE) == 0)
        mmap(veer_counter_area, VEER_COUNTERS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    close(file);
}
