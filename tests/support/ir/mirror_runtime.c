/* A runtime for tests of the instrumenter. A symbolic shadow is an index into a table of values that is computed along with the
   program: whenever the instrumented code passes a shadow together with a value, both must agree. It knows no solver, no tree.
   Prints what went wrong and ends with code 99. */
#include "veer_runtime.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TABLE 4000000u

static struct { uint64_t value; uint32_t width; } *table;
static uint32_t table_count = VEER_FIRST_EXPRESSION;
static uint64_t heap_next = VEER_HEAP_BASE;
static unsigned branches, checks, losses, operations;
extern int program(void);
extern const struct veer_global __start_veer_objects[] __attribute__((weak)), __stop_veer_objects[] __attribute__((weak));

static void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fflush(stdout);
    printf("MISMATCH ");
    vprintf(format, list);
    printf("\n");
    fflush(stdout);
    _Exit(99);
}

static uint64_t mask(uint32_t width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }
static int64_t extended(uint64_t value, uint32_t width) { return (int64_t)(value << (64 - width)) >> (64 - width); }

static uint32_t made(uint32_t width, uint64_t value) {
    if (table_count >= TABLE) fail("the table is full");
    table[table_count].value = value & mask(width);
    table[table_count].width = width;
    operations++;
    return table_count++;
}

/* The value of an operand; a symbolic one must have the width and the value that the program says. */
static uint64_t operand(uint32_t width, uint32_t shadow, uint64_t value, const char *where) {
    if (shadow <= 1) return value & mask(width);
    if (shadow >= table_count) fail("%s: shadow %u is none", where, shadow);
    if (table[shadow].width != width) fail("%s: width %u instead of %u", where, table[shadow].width, width);
    if (table[shadow].value != (value & mask(width)))
        fail("%s: shadow says %llx, the program %llx (width %u)", where, (unsigned long long)table[shadow].value, (unsigned long long)value, width);
    return value & mask(width);
}

static double as_double(uint64_t bits, uint32_t width) {
    double d;
    float f;
    uint32_t low = (uint32_t)bits;
    if (width == 64) return memcpy(&d, &bits, 8), d;
    return memcpy(&f, &low, 4), (double)f;
}

static uint64_t from_double(double d, uint32_t width) {
    uint64_t bits = 0;
    float f = (float)d;
    if (width == 64) memcpy(&bits, &d, 8);
    else memcpy(&bits, &f, 4);
    return bits;
}

static uint64_t compute(uint32_t op, uint32_t width, uint64_t a, uint64_t b) {
    int64_t x = extended(a, width), y = extended(b, width);
    double u = width >= 32 ? as_double(a, width) : 0, v = width >= 32 ? as_double(b, width) : 0;
    switch (op) {
    case VEER_OP_ADD: return a + b;
    case VEER_OP_SUB: return a - b;
    case VEER_OP_MUL: return a * b;
    case VEER_OP_UDIV: return a / b;
    case VEER_OP_UREM: return a % b;
    case VEER_OP_SDIV: return (uint64_t)(x / y);
    case VEER_OP_SREM: return (uint64_t)(x % y);
    case VEER_OP_AND: return a & b;
    case VEER_OP_OR: return a | b;
    case VEER_OP_XOR: return a ^ b;
    case VEER_OP_SHL: return a << b;
    case VEER_OP_LSHR: return a >> b;
    case VEER_OP_ASHR: return (uint64_t)(x >> b);
    case VEER_OP_FADD: return from_double(u + v, width);
    case VEER_OP_FSUB: return from_double(u - v, width);
    case VEER_OP_FMUL: return from_double(u * v, width);
    case VEER_OP_FDIV: return from_double(u / v, width);
    default: fail("operator %u", op); return 0;
    }
}

uint32_t veer_binary(uint32_t op, uint32_t width, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b, uint32_t site) {
    (void)site;
    a = operand(width, sa, a, "binary"), b = operand(width, sb, b, "binary");
    if (op >= VEER_OP_UDIV && op <= VEER_OP_SREM && b == 0) fail("division by zero");
    if (sa <= 1 && sb <= 1) return 0;
    return made(width, compute(op, width, a, b));
}

static int holds(uint32_t predicate, uint32_t width, uint64_t a, uint64_t b) {
    int64_t x = extended(a, width), y = extended(b, width);
    double u = width >= 32 ? as_double(a, width) : 0, v = width >= 32 ? as_double(b, width) : 0;
    int unordered = u != u || v != v;
    switch (predicate) {
    case VEER_PREDICATE_EQ: return a == b;
    case VEER_PREDICATE_NE: return a != b;
    case VEER_PREDICATE_UGT: return a > b;
    case VEER_PREDICATE_UGE: return a >= b;
    case VEER_PREDICATE_ULT: return a < b;
    case VEER_PREDICATE_ULE: return a <= b;
    case VEER_PREDICATE_SGT: return x > y;
    case VEER_PREDICATE_SGE: return x >= y;
    case VEER_PREDICATE_SLT: return x < y;
    case VEER_PREDICATE_SLE: return x <= y;
    case VEER_PREDICATE_OEQ: return u == v;
    case VEER_PREDICATE_OGT: return u > v;
    case VEER_PREDICATE_OGE: return u >= v;
    case VEER_PREDICATE_OLT: return u < v;
    case VEER_PREDICATE_OLE: return u <= v;
    case VEER_PREDICATE_ONE: return !unordered && u != v;
    case VEER_PREDICATE_ORD: return !unordered;
    case VEER_PREDICATE_UNO: return unordered;
    case VEER_PREDICATE_UEQ: return unordered || u == v;
    case VEER_PREDICATE_FUGT: return unordered || u > v;
    case VEER_PREDICATE_FUGE: return unordered || u >= v;
    case VEER_PREDICATE_FULT: return unordered || u < v;
    case VEER_PREDICATE_FULE: return unordered || u <= v;
    case VEER_PREDICATE_UNE: return unordered || u != v;
    default: fail("predicate %u", predicate); return 0;
    }
}

uint32_t veer_compare(uint32_t predicate, uint32_t width, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b) {
    a = operand(width, sa, a, "compare"), b = operand(width, sb, b, "compare");
    return sa <= 1 && sb <= 1 ? 0 : made(1, holds(predicate, width, a, b));
}

uint32_t veer_compare_null(uint32_t predicate, uint32_t s, uint64_t a) { return veer_compare(predicate, 64, s, a, 0, 0); }

uint32_t veer_cast(uint32_t op, uint32_t from, uint32_t to, uint32_t s, uint64_t value) {
    uint64_t v = operand(from, s, value, "cast");
    if (s <= 1) return 0;
    switch (op) {
    case VEER_OP_ZEXT: return made(to, v);
    case VEER_OP_SEXT: return made(to, (uint64_t)extended(v, from));
    case VEER_OP_EXTRACT: return made(to, v);
    case VEER_OP_FPTOSI: return made(to, (uint64_t)(int64_t)as_double(v, from));
    case VEER_OP_FPTOUI: return made(to, (uint64_t)as_double(v, from));
    case VEER_OP_SITOFP: return made(to, from_double((double)extended(v, from), to));
    case VEER_OP_UITOFP: return made(to, from_double((double)v, to));
    case VEER_OP_FPEXT:
    case VEER_OP_FPTRUNC: return made(to, from_double(as_double(v, from), to));
    default: fail("cast %u", op); return 0;
    }
}

uint32_t veer_unary(uint32_t op, uint32_t width, uint32_t s, uint64_t value) {
    uint64_t v = operand(width, s, value, "unary"), sign = 1ull << (width - 1);
    if (s <= 1) return 0;
    switch (op) {
    case VEER_OP_NOT: return made(width, ~v);
    case VEER_OP_FNEG: return made(width, v ^ sign);
    case VEER_OP_FABS: return made(width, v & ~sign);
    case VEER_OP_FSQRT: return made(width, from_double(__builtin_sqrt(as_double(v, width)), width));
    case VEER_OP_FRINT: return made(width, from_double(__builtin_rint(as_double(v, width)), width));
    case VEER_OP_FFLOOR: return made(width, from_double(__builtin_floor(as_double(v, width)), width));
    case VEER_OP_FCEIL: return made(width, from_double(__builtin_ceil(as_double(v, width)), width));
    case VEER_OP_FTRUNC: return made(width, from_double(__builtin_trunc(as_double(v, width)), width));
    case VEER_OP_FROUND: return made(width, from_double(__builtin_round(as_double(v, width)), width));
    case VEER_OP_CTPOP: return made(width, (uint64_t)__builtin_popcountll(v));
    default: fail("unary %u", op); return 0;
    }
}

uint32_t veer_ternary(uint32_t width, uint32_t sc, uint64_t condition, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b) {
    uint64_t c = operand(1, sc, condition, "choose"), va = operand(width, sa, a, "choose"), vb = operand(width, sb, b, "choose");
    return sc <= 1 && (c ? sa : sb) <= 1 ? 0 : made(width, c ? va : vb);
}

uint32_t veer_fused_sum(uint32_t width, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b, uint32_t sc, uint64_t c) {
    uint64_t va = operand(width, sa, a, "fused"), vb = operand(width, sb, b, "fused"), vc = operand(width, sc, c, "fused");
    if (sa <= 1 && sb <= 1 && sc <= 1) return 0;
    if (width == 32)
        return made(32, from_double(__builtin_fmaf((float)as_double(va, 32), (float)as_double(vb, 32), (float)as_double(vc, 32)), 32));
    return made(64, from_double(__builtin_fma(as_double(va, 64), as_double(vb, 64), as_double(vc, 64)), 64));
}

/* Integers of 65 to 128 bits: shadows and results are packed, the lower half in the lower word. */
static unsigned __int128 wide_operand(uint32_t width, uint64_t s, uint64_t low, uint64_t high, const char *where) {
    operand(64, (uint32_t)s, low, where);
    operand(width - 64, (uint32_t)(s >> 32), high, where);
    return (unsigned __int128)high << 64 | low;
}

static uint64_t wide_made(uint32_t width, unsigned __int128 value) {
    return made(64, (uint64_t)value) | (uint64_t)made(width - 64, (uint64_t)(value >> 64)) << 32;
}

static __int128 wide_extended(uint32_t width, unsigned __int128 value) { return (__int128)(value << (128 - width)) >> (128 - width); }

uint64_t veer_wide_binary(uint32_t op, uint32_t width, uint64_t sa, uint64_t a_low, uint64_t a_high, uint64_t sb, uint64_t b_low,
                          uint64_t b_high, uint32_t site) {
    unsigned __int128 a = wide_operand(width, sa, a_low, a_high, "wide"), b = wide_operand(width, sb, b_low, b_high, "wide");
    (void)site;
    switch (op) {
    case VEER_OP_ADD: return wide_made(width, a + b);
    case VEER_OP_SUB: return wide_made(width, a - b);
    case VEER_OP_MUL: return wide_made(width, a * b);
    case VEER_OP_AND: return wide_made(width, a & b);
    case VEER_OP_OR: return wide_made(width, a | b);
    case VEER_OP_XOR: return wide_made(width, a ^ b);
    case VEER_OP_SHL: return wide_made(width, a << b);
    case VEER_OP_LSHR: return wide_made(width, a >> b);
    case VEER_OP_ASHR: return wide_made(width, (unsigned __int128)(wide_extended(width, a) >> b));
    case VEER_OP_UDIV: return wide_made(width, a / b);
    case VEER_OP_UREM: return wide_made(width, a % b);
    case VEER_OP_SDIV: return wide_made(width, (unsigned __int128)(wide_extended(width, a) / wide_extended(width, b)));
    case VEER_OP_SREM: return wide_made(width, (unsigned __int128)(wide_extended(width, a) % wide_extended(width, b)));
    default: fail("wide %u", op); return 0;
    }
}

uint32_t veer_wide_compare(uint32_t predicate, uint32_t width, uint64_t sa, uint64_t a_low, uint64_t a_high, uint64_t sb, uint64_t b_low,
                           uint64_t b_high, uint32_t site) {
    unsigned __int128 a = wide_operand(width, sa, a_low, a_high, "wide"), b = wide_operand(width, sb, b_low, b_high, "wide");
    __int128 x = wide_extended(width, a), y = wide_extended(width, b);
    int holds[] = {a == b, a != b, a > b, a >= b, a < b, a <= b, x > y, x >= y, x < y, x <= y};
    (void)site;
    return made(1, (uint64_t)holds[predicate]);
}

uint64_t veer_wide_cast(uint32_t op, uint32_t from, uint32_t to, uint64_t s, uint64_t low, uint64_t high, uint32_t site) {
    unsigned __int128 a = from > 64 ? wide_operand(from, s, low, high, "wide") : operand(from, (uint32_t)s, low, "wide");
    (void)site;
    if (op == VEER_OP_SEXT) a = (unsigned __int128)wide_extended(from, a);
    return to > 64 ? wide_made(to, a) : made(to, (uint64_t)a);
}

uint32_t veer_settle(uint32_t shadow, uint32_t site) {
    (void)site;
    return shadow;
}

void veer_unsupported(uint32_t site, uint32_t loss) { (void)site, (void)loss, losses++; }

void veer_branch(uint32_t condition, uint32_t taken, uint32_t site) {
    (void)site;
    if (condition <= 1) fail("branch on a concrete condition");
    operand(1, condition, taken, "branch");
    branches++;
}

void veer_check(uint32_t condition, uint32_t good, uint32_t site) {
    (void)site;
    if (condition <= 1) fail("check of a concrete condition");
    operand(1, condition, good, "check");
    checks++;
}

void veer_switch(uint32_t shadow, uint64_t value, uint32_t width, uint32_t first_site, uint32_t count, const uint64_t *cases) {
    (void)first_site;
    if (shadow <= 1) fail("switch on a concrete value");
    operand(width, shadow, value, "switch");
    for (uint32_t k = 0; k < count; k++)
        if (cases[k] & ~mask(width)) fail("case %u is too wide", k);
    branches++;
}

void veer_pin(uint32_t shadow, uint64_t value, uint32_t width, uint32_t site) {
    (void)site;
    operand(width, shadow, value, "pin");
}

/* -- memory ---------------------------------------------------------------------------------------------------- */
static int is_low(uint64_t address) { return address >> VEER_LOW_BITS == 0; }

static void require(uint64_t address, uint64_t size, const char *where) {
    if (!is_low(address)) return;
    for (uint64_t k = 0; k < size; k++)
        if (VEER_SHADOW[address + k] == 0) fail("%s: %llx + %llu of %llu is nobody's", where, (unsigned long long)address, (unsigned long long)k, (unsigned long long)size);
}

static void fill(uint64_t address, uint64_t size, uint32_t word) {
    for (uint64_t k = 0; is_low(address) && k < size; k++) VEER_SHADOW[address + k] = word;
}

uint32_t veer_load(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t site) {
    size = VEER_LOAD_SIZE(size);
    uint64_t value = 0;
    uint32_t known = 0;
    (void)site;
    operand(64, address_shadow, address, "address");
    require(address, size, "load");
    if (!is_low(address)) return 0;
    for (uint32_t k = 0; k < size; k++) known |= VEER_SHADOW[address + k] > 1;
    if (!known) return 0;
    for (uint32_t k = 0; k < size; k++) {
        uint32_t word = VEER_SHADOW[address + k], byte = *(uint8_t *)(uintptr_t)(address + k);
        uint32_t e = word & VEER_EXPRESSION_MASK;
        if (word > 1 && ((table[e].value >> 8 * (word >> VEER_FRAGMENT_SHIFT)) & 255) != byte) fail("load: byte %u of %u is stale", k, size);
        value |= (uint64_t)byte << 8 * k;
    }
    return made(8 * size, value);
}

void veer_store(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t value_shadow, uint64_t value, uint32_t site) {
    (void)site;
    operand(64, address_shadow, address, "address");
    require(address, size, "store");
    operand(8 * size, value_shadow, value, "store");
    for (uint32_t k = 0; is_low(address) && k < size; k++)
        VEER_SHADOW[address + k] = value_shadow <= 1 ? 1 : k << VEER_FRAGMENT_SHIFT | value_shadow;
}

void veer_access(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t is_store, uint32_t site) {
    (void)is_store, (void)site;
    operand(64, address_shadow, address, "address");
    require(address, size, "access");
    for (uint32_t k = 0; is_low(address) && k < size; k++) losses += VEER_SHADOW[address + k] > 1;
    fill(address, size, 1);
}

uint64_t veer_frame(uint64_t total, uint32_t count, uint32_t written, const uint32_t *layout) {
    uint64_t base = (VEER_HOT->stack_pointer + 63) / 64 * 64;
    if (written > count) fail("more locals are written than there are");
    memset((void *)(uintptr_t)base, 0, total);
    fill(base, total, 0);
    for (uint32_t k = 0; k < count; k++) fill(base + layout[2 * k], layout[2 * k + 1], 1);
    VEER_HOT->stack_pointer = base + total;
    return base;
}

void veer_frame_end(uint64_t mark) {
    if (mark > VEER_HOT->stack_pointer) fail("the stack of locals grows at a return");
    fill(mark, VEER_HOT->stack_pointer - mark, 0);
    VEER_HOT->stack_pointer = mark;
}

uint64_t veer_alloca(uint64_t size, uint32_t size_shadow, uint64_t alignment, uint32_t site) {
    uint64_t step = alignment < 16 ? 16 : alignment, base = (VEER_HOT->stack_pointer + 16 + step - 1) / step * step;
    (void)site;
    operand(64, size_shadow, size, "alloca");
    fill(base, size, 1);
    VEER_HOT->stack_pointer = base + size + 16;
    return base;
}

/* The table: number of places, bytes of the overflow area, then slot, offset, size and kind of each. */
static uint32_t overflow_sizes[1 << 16]; /* by address / 16 */

uint64_t veer_variadic(const uint32_t *places, uint32_t site) {
    if (!places) return 0;
    uint64_t areas = veer_alloca(176 + places[1], 0, 16, site);
    overflow_sizes[areas / 16 % (1 << 16)] = places[1];
    for (uint32_t k = 0; k < places[0]; k++) {
        const uint32_t *place = places + 2 + 4 * k;
        uint32_t shadow = VEER_HOT->arguments[place[0]];
        if (place[1] + place[2] > 176 + places[1]) fail("an argument lies behind the overflow area");
        if (place[3] == 0 && shadow > 1)
            for (uint32_t byte = 0; byte < place[2]; byte++) VEER_SHADOW[areas + place[1] + byte] = byte << VEER_FRAGMENT_SHIFT | shadow;
    }
    return areas;
}

void veer_rest_read(const void *list, uint32_t is_real) { (void)list, (void)is_real; }

void veer_va_start(void *list, uint64_t areas, uint32_t site) {
    uint64_t *saved = (uint64_t *)list + 2, *overflow = (uint64_t *)list + 1;
    (void)site;
    if (!areas) return;
    memcpy((void *)areas, (void *)*saved, 176);
    memcpy((void *)(areas + 176), (void *)*overflow, overflow_sizes[areas / 16 % (1 << 16)]);
    *saved = areas;
    *overflow = areas + 176;
}

static uint32_t argument(void *self, uint32_t index, uint32_t width, uint64_t value) {
    uint32_t shadow = VEER_HOT->callee == (uint64_t)(uintptr_t)self ? VEER_HOT->arguments[index] : 0;
    operand(width, shadow, value, "argument");
    return shadow;
}

void *veer_memmove(void *to, const void *from, uint64_t size) {
    uint64_t a = (uint64_t)(uintptr_t)to, b = (uint64_t)(uintptr_t)from;
    require(a, size, "memmove to"), require(b, size, "memmove from");
    memmove(to, from, size);
    if (is_low(a) && is_low(b)) memmove(VEER_SHADOW + a, VEER_SHADOW + b, size * 4);
    else fill(a, size, 1);
    return to;
}

void *veer_memcpy(void *to, const void *from, uint64_t size) {
    argument((void *)veer_memcpy, 2, 64, size);
    return veer_memmove(to, from, size);
}

void *veer_memset(void *to, int value, uint64_t size) {
    uint32_t shadow = argument((void *)veer_memset, 1, 32, (uint32_t)value);
    require((uint64_t)(uintptr_t)to, size, "memset");
    memset(to, value, size);
    fill((uint64_t)(uintptr_t)to, size, shadow <= 1 ? 1 : shadow);
    return to;
}

static uint64_t freed[64]; /* by size in units of 16 bytes: the last one freed, which holds the address of the one before */

void *veer_malloc(uint64_t size) {
    uint64_t class = (size + 15) / 16, base;
    if (class < 64 && freed[class]) {
        base = freed[class];
        freed[class] = *(uint64_t *)(uintptr_t)base;
    } else {
        base = heap_next + 16;
        heap_next = base + 16 * class + 16;
        *(uint64_t *)(uintptr_t)(base - 8) = class;
    }
    fill(base, size, 1);
    return (void *)(uintptr_t)base;
}

void veer_free(void *object) {
    uint64_t base = (uint64_t)(uintptr_t)object, class = base ? *(uint64_t *)(uintptr_t)(base - 8) : 64;
    if (class >= 64) return;
    fill(base, 16 * class, 0);
    *(uint64_t *)(uintptr_t)base = freed[class];
    freed[class] = base;
}

void *veer_realloc(void *old, uint64_t size) {
    void *object = veer_malloc(size);
    uint64_t kept = old ? 16 * *(uint64_t *)((char *)old - 8) : 0;
    while (kept > 0 && VEER_SHADOW[(uint64_t)(uintptr_t)old + kept - 1] == 0) kept--;
    if (old) veer_memmove(object, old, kept < size ? kept : size);
    veer_free(old);
    return object;
}

void *veer_calloc(uint64_t count, uint64_t size) {
    void *object = veer_malloc(count * size);
    memset(object, 0, count * size);
    return object;
}

void veer_make_symbolic(void *cell, uint64_t size, const char *name, uint64_t element) {
    static uint32_t state = 12345;
    uint8_t *bytes = cell;
    /* an input named "keep" keeps the bytes that it has */
    for (uint64_t k = 0; k < size && strcmp(name, "keep") != 0; k++) bytes[k] = (uint8_t)((state = state * 1103515245u + 12345u) >> 16);
    for (uint64_t k = 0; k + element <= size; k += element) {
        uint64_t value = 0;
        memcpy(&value, bytes + k, element);
        uint32_t leaf = made(8 * (uint32_t)element, value);
        for (uint64_t j = 0; j < element; j++) VEER_SHADOW[(uint64_t)(uintptr_t)(bytes + k + j)] = (uint32_t)j << VEER_FRAGMENT_SHIFT | leaf;
    }
}

/* The first value of local variables that are read before they are set (instrument/unwritten.py). */
uint8_t veer_unwritten_memory[256];

/* -- calls and endings ------------------------------------------------------------------------------------------- */
void veer_hang(uint32_t site) { fail("hang at %u", site); }
void veer_too_deep(uint32_t site) { fail("too deep at %u", site); }
void veer_indirect(uint64_t target, uint32_t shadow, uint32_t site) { (void)site, operand(64, shadow, target, "target"); }
void veer_ask_place(void) {}
void veer_ask_bits(uint64_t number) { (void)number; }
void veer_compare_numbers(uint64_t left, uint64_t right) { (void)left, (void)right; }
void veer_compare_places(uint64_t left, uint64_t right) { (void)left, (void)right; }
void veer_indirect_jump(uint64_t target, uint32_t shadow, uint32_t site) { (void)site, operand(64, shadow, target, "label"); }

/* The object around an address has no symbolic bytes any more. */
static void concretise(uint64_t address) {
    if (table_count == VEER_FIRST_EXPRESSION || !is_low(address) || VEER_SHADOW[address] == 0) return;
    while (VEER_SHADOW[address - 1] != 0) address--;
    for (; VEER_SHADOW[address] != 0; address++) VEER_SHADOW[address] = 1;
}

static void concretise_arguments(uint32_t count, const char *name) {
    static const char *const readers[] = {"strcmp", "strncmp", "strlen", "strtod", "strtol", "printf", "puts"};
    for (size_t k = 0; name && k < sizeof readers / sizeof *readers; k++)
        if (strcmp(name, readers[k]) == 0) return;
    for (uint32_t k = 0; k < count; k++) concretise(VEER_HOT->values[k]);
}

void veer_uninstrumented_begin(uint32_t site, uint32_t count, const char *name) {
    (void)site, (void)name;
    for (uint32_t k = 0; k < count; k++)
        if (VEER_HOT->arguments[k] > 1 && table[VEER_HOT->arguments[k]].value != (VEER_HOT->values[k] & mask(table[VEER_HOT->arguments[k]].width)))
            fail("external: argument %u of %s", k, name ? name : "?");
    if (VEER_HOT->callee != 0) fail("external: the callee is not cleared");
    concretise_arguments(count, name);
}

void veer_uninstrumented_end(uint32_t site, uint32_t count, const char *name) {
    (void)site;
    concretise_arguments(count, name);
}

static void end(const char *how, int code) {
    printf("%s %d\n", how, code);
    fflush(stdout);
    _Exit(0);
}
void veer_abort(uint32_t site) { (void)site, end("abort", 0), abort(); }
void veer_exit(uint32_t site, int code) { (void)site, end("exit", code), abort(); }
void veer_exit_at_once(uint32_t site, int code) { veer_exit(site, code); }
void veer_assert_fail(uint32_t site, const char *text) { (void)site, end(text, 0), abort(); }
void veer_trap(uint32_t site, uint32_t kind) { (void)site, end("trap", (int)kind), abort(); }

static void map(uint64_t address, uint64_t size) {
    void *found = mmap((void *)(uintptr_t)address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (found == MAP_FAILED) fail("mmap");
}

int main(int argc, char **argv) {
    (void)argv;
    map(VEER_HOT_BASE, sizeof(struct veer_hot));
    map(VEER_COVERAGE_BASE, VEER_COVERAGE_SIZE);
    map(VEER_SHADOW_BASE, (1ull << VEER_LOW_BITS) * 4 + VEER_PAGE);
    map(VEER_HEAP_BASE, 1 << 29);
    map(VEER_STACK_BASE, 1 << 29);
    table = calloc(TABLE, sizeof *table);
    for (const struct veer_global *g = __start_veer_objects; g < __stop_veer_objects; g++)
        fill((uint64_t)(uintptr_t)g->address, g->size, 1);
    fill((uint64_t)(uintptr_t)veer_unwritten_memory, sizeof veer_unwritten_memory, 1);
    VEER_HOT->steps = 1ll << 40;
    VEER_HOT->stack_pointer = VEER_STACK_BASE;
    for (const veer_constructor *call = __start_veer_constructors; call < __stop_veer_constructors; call++) (*call)();
    int result = program();
    if (VEER_HOT->stack_pointer != VEER_STACK_BASE) fail("the stack of locals is not empty");
    if (VEER_HOT->depth != 0) fail("depth %u", VEER_HOT->depth);
    printf("result %d\n", result);
    unsigned edges = 0;
    for (uint32_t k = 0; k < 100000; k++) edges += VEER_COVERAGE[k] != 0;
    if (argc > 1) printf("hash %llx edges %u\n", (unsigned long long)VEER_HOT->path_hash, edges);
    if (argc > 1) printf("branches %u checks %u losses %u operations %u\n", branches, checks, losses, operations);
    return 0;
}
