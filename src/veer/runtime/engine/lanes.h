/* Many-lane evaluation of the cone. */
#ifndef ENGINE_LANES_H
#define ENGINE_LANES_H
#include "evaluate.h"
#include "places.h"

enum { LANES = 64 }; /* inputs that are evaluated at once: the bits of a word */

/* One expression of a cone, for many-lane evaluation: its operands' positions (or the number `b`, see has_number). An
   operand's width of 0 says that there is nothing to compute. */
struct lane_step {
    uint8_t op, width, operand_width, spare;
    uint32_t a, b, c;
};

struct lanes_state {
    struct lane_step steps[CONE_LIMIT];
    uint64_t values[CONE_LIMIT][LANES];
};
ENGINE_STATE_FITS(lanes);
#define LANE_STATE ENGINE_STATE(lanes)

struct lane_step veer_lane_step(uint32_t expression);
void veer_lanes_prepare(void);
uint64_t *veer_lanes_column(uint32_t expression);
void veer_lanes_run(uint32_t first, uint32_t end, uint32_t lanes);
#endif
