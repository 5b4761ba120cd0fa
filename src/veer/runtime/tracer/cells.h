/* Reads and writes at a symbolic index. */
#ifndef VEER_CELLS_H
#define VEER_CELLS_H
#include <stdint.h>

#define VEER_MAX_CELLS (1u << 16) /* of one object that an access at a symbolic index may touch */
#define VEER_MAX_WRITTEN 256u /* cells that a write at a symbolic index changes */

/* The cells of an object that one access may touch: cell k, of `size` bytes at first + k * stride, if index == k. The access is known
   to lie within the object. */
struct veer_cells {
    uint64_t first, stride;
    uint32_t index, count, size;
    uint32_t here; /* the cell that this run touches */
    uint32_t is_constant; /* the object is never written */
};

uint32_t veer_read_cells(const struct veer_cells *cells, uint32_t site);
int veer_write_cells(const struct veer_cells *cells, uint32_t value);
#endif
