/* What each operator means: SMT-LIB's bit-vector semantics (division by zero and over-wide shifts included). */
#include "semantics.h"
#include "bits.h"
#include "division.h"
#include "floats.h"
#include "fused.h"
#include "tables.h"
#include "veer_wire.h"

/* How many operands are expressions (0 = not an operator of operands). The second one of EXTRACT and LOOKUP is a number. */
uint32_t veer_operand_count(uint32_t op)
{
    switch (op) {
    case VEER_OP_NOT:
    case VEER_OP_ZEXT:
    case VEER_OP_SEXT:
    case VEER_OP_EXTRACT:
    case VEER_OP_LOOKUP:
    case VEER_OP_CTPOP:
    case VEER_OP_FNEG:
    case VEER_OP_FABS:
    case VEER_OP_FSQRT:
    case VEER_OP_FRINT:
    case VEER_OP_FFLOOR:
    case VEER_OP_FCEIL:
    case VEER_OP_FTRUNC:
    case VEER_OP_FROUND:
    case VEER_OP_FPTOSI:
    case VEER_OP_FPTOUI:
    case VEER_OP_SITOFP:
    case VEER_OP_UITOFP:
    case VEER_OP_FPEXT:
    case VEER_OP_FPTRUNC: return 1;
    case VEER_OP_UDIVL:
    case VEER_OP_UREML:
    case VEER_OP_FFMA:
    case VEER_OP_ITE: return 3;
    case VEER_OP_NONE:
    case VEER_OP_CONST:
    case VEER_OP_SLOT:
    case VEER_OP_UNWRITTEN:
    case VEER_OP_DEFERRED:
    case VEER_OP_LEAF: return 0;
    default: return op <= VEER_OP_FROUND ? 2 : 0;
    }
}

static uint64_t divide_signed(uint32_t op, uint32_t width, uint64_t a, uint64_t b)
{
    int64_t x = sign_extend(a, width), y = sign_extend(b, width);
    if (op == VEER_OP_SDIV) {
        if (y == 0)
            return x < 0 ? 1 : ~0ull;
        return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
    }
    if (y == 0)
        return (uint64_t)x;
    return y == -1 ? 0 : (uint64_t)(x % y);
}

static uint64_t shift(uint32_t op, uint32_t width, uint64_t a, uint64_t b)
{
    if (op == VEER_OP_ASHR)
        return (uint64_t)(sign_extend(a, width) >> (b >= width ? 63 : b));
    if (b >= width)
        return 0;
    return op == VEER_OP_SHL ? a << b : a >> b;
}

/* Operators on values of twice the width, of which only halves are expressions. */
static uint64_t double_width(uint32_t op, uint32_t width, uint64_t a, uint64_t b, uint64_t c)
{
    if (op == VEER_OP_UMULH)
        return (uint64_t)((unsigned __int128)a * b >> width);
    if (c == 0)
        return op == VEER_OP_UDIVL ? ~0ull : b;
    unsigned __int128 rest, quotient = veer_divide((unsigned __int128)a << width | b, c, &rest);
    return (uint64_t)(op == VEER_OP_UDIVL ? quotient : rest);
}

/* The value of an operator on values; `width` is the result's, `operand_width` that of the first operand. */
uint64_t veer_apply(uint32_t op, uint32_t width, uint32_t operand_width, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t mask = mask_of(width);
    switch (op) {
    case VEER_OP_ADD: return (a + b) & mask;
    case VEER_OP_SUB: return (a - b) & mask;
    case VEER_OP_MUL: return (a * b) & mask;
    case VEER_OP_UDIV: return b ? a / b : mask;
    case VEER_OP_UREM: return b ? a % b : a;
    case VEER_OP_SDIV:
    case VEER_OP_SREM: return divide_signed(op, width, a, b) & mask;
    case VEER_OP_UMULH:
    case VEER_OP_UDIVL:
    case VEER_OP_UREML: return double_width(op, width, a, b, c) & mask;
    case VEER_OP_AND: return a & b;
    case VEER_OP_OR: return a | b;
    case VEER_OP_XOR: return a ^ b;
    case VEER_OP_SHL:
    case VEER_OP_LSHR:
    case VEER_OP_ASHR: return shift(op, width, a, b) & mask;
    case VEER_OP_EQ: return a == b;
    case VEER_OP_ULT: return a < b;
    case VEER_OP_ULE: return a <= b;
    case VEER_OP_SLT: return sign_extend(a, operand_width) < sign_extend(b, operand_width);
    case VEER_OP_SLE: return sign_extend(a, operand_width) <= sign_extend(b, operand_width);
    case VEER_OP_NOT: return ~a & mask;
    case VEER_OP_ZEXT: return a;
    case VEER_OP_SEXT: return (uint64_t)sign_extend(a, operand_width) & mask;
    case VEER_OP_EXTRACT: return (a >> b) & mask;
    case VEER_OP_CONCAT: return (a << (width - operand_width)) | b;
    case VEER_OP_ITE: return a ? b : c;
    case VEER_OP_LOOKUP: return veer_table_entry((uint32_t)b, a);
    case VEER_OP_CTPOP: return (uint64_t)__builtin_popcountll(a);
    case VEER_OP_FFMA: return veer_fused(width, a, b, c);
    default: return veer_apply_float(op, width, operand_width, a, b);
    }
}
