/* Lists of arguments (va_list), and the arguments behind `...`. */
#ifndef VEER_VARIADIC_H
#define VEER_VARIADIC_H
#include <stdint.h>

#define VEER_GENERAL_END 48u /* bytes of the registers for whole numbers */
#define VEER_SAVE_AREA 176u  /* the same, with those for floats */

/* va_list's only element on x86-64 (System V ABI, figure 3.34). */
struct veer_list {
    uint32_t general_offset, vector_offset;
    uint64_t overflow, saved;
};

/* The list that lies at an address, if veer made it: its arguments are inputs, of eight bytes each. Else NULL. */
struct veer_list *veer_made_list(uint64_t address);
/* The number of the argument that is read next. */
uint64_t veer_argument_number(const struct veer_list *list);
/* Which argument is read, and in which register a caller hands it over, is told by inputs of no meaning: ...2, ...2.real */
void veer_tell_argument(uint64_t number, uint32_t is_real);
#endif
