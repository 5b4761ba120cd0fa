/* How runs end: outcomes and their reports. */
#ifndef VEER_ENDINGS_H
#define VEER_ENDINGS_H
#include "veer_wire.h"

struct veer_report *veer_report_begin(uint32_t outcome, uint32_t site);
_Noreturn void veer_finish(uint32_t outcome);
_Noreturn void veer_end_run(uint32_t outcome, uint32_t site, const char *message);
#endif
