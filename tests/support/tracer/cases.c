/* One executable with many small units, instrumented by hand; the environment variable VEER_CASE picks one. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "by_hand.h"

static const struct veer_type type_int = SIZED(VEER_TYPE_SIGNED, 4, 1);
static const struct veer_type type_char = SIZED(VEER_TYPE_CHAR, 1, 2);
static const struct veer_type type_long = SIZED(VEER_TYPE_UNSIGNED, 8, 3);
static const struct veer_type type_size = {.id = 4, .kind = VEER_TYPE_SIGNED, .size = 4, .alignment = 4, .low = 0, .high = 5};
static const struct veer_type type_string = {.id = 5, .kind = VEER_TYPE_POINTER, .nullable = 0, .extent = VEER_EXTENT_STRING,
                                             .size = 8, .maximum = 4, .target = &type_char};
static const struct veer_type type_buffer = {.id = 6, .kind = VEER_TYPE_POINTER, .nullable = 0, .extent = VEER_EXTENT_LENGTH,
                                             .length_unit = 1, .size = 8, .maximum = 5, .target = &type_int, .length = "n"};
static const struct veer_type type_cell;
static const struct veer_type type_cell_pointer = {.id = 7, .kind = VEER_TYPE_POINTER, .nullable = 1, .size = 8, .target = &type_cell};
static const struct veer_field cell_fields[] = {{0, 0, &type_int}, {8, 0, &type_cell_pointer}};
static const struct veer_type type_cell = {.id = 8, .kind = VEER_TYPE_STRUCT, .size = 16, .count = 2, .alignment = 8, .fields = cell_fields};
static const struct veer_type type_wide = {.id = 9, .kind = VEER_TYPE_FLOAT, .size = 16, .alignment = 16};
static const struct veer_type type_signed_byte = {.id = 10, .kind = VEER_TYPE_SIGNED, .size = 1, .low = (uint64_t)-3, .high = 3};

static const struct veer_type type_cell_buffer = {.id = 11, .kind = VEER_TYPE_POINTER, .nullable = 0, .extent = VEER_EXTENT_LENGTH,
                                                  .length_unit = 1, .size = 8, .maximum = 5, .target = &type_cell, .length = "n"};

static const uint32_t layout_two[] = {16, 32, 64, 32};
GLOBAL(counter, 8);
GLOBAL(table, 40);
GLOBAL(large, 65536);
GLOBAL(started, 8);

/* Two locals of 32 bytes each. */
static uint64_t two_locals(void) { return veer_frame(112, 2, 0, layout_two); }

static void show(const char *name, uint64_t value) { dprintf(2, "%s=%llu\n", name, (unsigned long long)value); }

/* An int taken to pieces and put together again is the same expression. */
static void fragments(void) {
    uint64_t frame = two_locals(), x = frame + 16, y = frame + 64;
    veer_make((void *)x, &type_int, "x");
    for (int k = 0; k < 4; k++) store(y + k, load(x + k, 0, 1, 1), 1, 2);
    show("same", load(y, 0, 4, 3).shadow == load(x, 0, 4, 3).shadow);
    store(y + 2, constant(0x41), 1, 4);
    struct value mixed = load(y, 0, 4, 5);
    show("mixed", symbolic(mixed) && mixed.shadow != load(x, 0, 4, 3).shadow);
    store(y, constant(7), 4, 6);
    show("concrete", !symbolic(load(y, 0, 4, 7)));
    struct value half = load(x + 1, 0, 2, 8);
    branch(equal(16, half, 0x1234), 9);
    branch(equal(16, half, 0x1234), 10); /* decided before: no event */
}

static void reads_string(void) {
    uint64_t cell = two_locals() + 16;
    veer_make((void *)cell, &type_string, "s");
    uint64_t s = load(cell, 0, 8, 1).bits;
    for (int k = 0; k < 4; k++) load(s + k, 0, 1, 2);
}

/* Only the NUL at the string's bound. */
static void skips_string(void) {
    uint64_t cell = two_locals() + 16;
    veer_make((void *)cell, &type_string, "s");
    uint64_t s = load(cell, 0, 8, 1).bits;
    for (int k = 0; k < 2; k++) show("symbolic", symbolic(load(s + 4, 0, 1, 2)));
}

/* Bytes at an offset in the last of three cells. */
static void last_cell(uint64_t offset, uint32_t size) {
    uint64_t frame = two_locals(), n = frame + 16, cell = frame + 64;
    veer_make((void *)n, &type_size, "n");
    veer_make((void *)cell, &type_cell_buffer, "a");
    load(load(cell, 0, 8, 1).bits + 32 + offset, 0, size, 2);
}
static void last_padding(void) { last_cell(4, 4); }
static void last_pointer(void) { last_cell(8, 8); }

/* The copy of a string into a longer block says where the string ends. */
static void lengthens_string(void) {
    uint64_t cell = two_locals() + 16;
    veer_make((void *)cell, &type_string, "s");
    veer_realloc((void *)(uintptr_t)load(cell, 0, 8, 1).bits, 100);
}

/* Like strlen: the branches already say what the existence of the next character needs. */
static void measures_string(void) {
    uint64_t cell = two_locals() + 16, length = 0;
    veer_make((void *)cell, &type_string, "s");
    uint64_t s = load(cell, 0, 8, 1).bits;
    while (branch(equal(8, load(s + length, 0, 1, 2), 0), 3) == 0) length++;
    veer_result(&length, 8, 0);
}

static void indexes_string(void) {
    uint64_t frame = two_locals(), cell = frame + 16, i = frame + 64;
    veer_make((void *)cell, &type_string, "s");
    veer_make((void *)i, &type_long, "i");
    struct value at = add(64, load(i, 0, 8, 1), load(cell, 0, 8, 2));
    load(at.bits, at.shadow, 1, 3);
}

static void reads_buffer(void) {
    uint64_t frame = two_locals(), n = frame + 16, cell = frame + 64;
    veer_make((void *)n, &type_size, "n");
    veer_make((void *)cell, &type_buffer, "a");
    uint64_t a = load(cell, 0, 8, 1).bits;
    for (int k = 0; k < 3; k++) load(a + 4 * k, 0, 4, 2);
}

/* p, p->next, p->next->next, compared with p. */
static void graph(void) {
    uint64_t cell = two_locals() + 16;
    veer_set_bounds(2, 16);
    veer_make((void *)cell, &type_cell_pointer, "p");
    struct value p = load(cell, 0, 8, 1), at = p;
    for (int k = 0; k < 3 && !branch(equal(64, at, 0), 4); k++) {
        at = add(64, at, constant(8));
        at = load(at.bits, at.shadow, 8, 2);
    }
    show("cycle", at.bits == p.bits && p.bits != 0);
    veer_memcpy((void *)(cell + 8), (void *)cell, 8);
    show("copied", load(cell + 8, 0, 8, 3).bits == p.bits);
}

/* Two pointers of one type: compared with each other, and the second one followed if they are equal. */
static void two_pointers(void) {
    uint64_t cell = two_locals() + 16;
    veer_make((void *)cell, &type_cell_pointer, "p");
    veer_make((void *)(cell + 8), &type_cell_pointer, "q");
    struct value p = load(cell, 0, 8, 1), q = load(cell + 8, 0, 8, 2);
    if (branch(compare(VEER_PREDICATE_EQ, 64, p, q, p.bits == q.bits), 3) && !branch(equal(64, p, 0), 4))
        show("v", load(q.bits, q.shadow, 4, 5).bits);
}

/* What else than a comparison is done to a pointer decides it. */
static void pointer_as_number(void) {
    uint64_t cell = two_locals() + 16;
    veer_make((void *)cell, &type_cell_pointer, "p");
    struct value p = load(cell, 0, 8, 1);
    store(cell + 8, p, 8, 2);
    struct value copy = load(cell + 8, 0, 8, 3);
    show("same shadow", copy.shadow == p.shadow);
    show("shadow", veer_binary(VEER_OP_AND, 64, p.shadow, p.bits, 0, 15, 4));
    show("stale", veer_binary(VEER_OP_ADD, 64, copy.shadow, copy.bits, copy.shadow, copy.bits, 5));
    show("loaded again", load(cell + 8, 0, 8, 6).shadow);
}

/* The copy of an undecided pointer is decided with it. */
static void copied_pointer(void) {
    uint64_t cell = two_locals() + 16;
    veer_make((void *)cell, &type_cell_pointer, "p");
    pass(NULL, 0, 0, 0);
    veer_memcpy((void *)(cell + 8), (void *)cell, 8);
    uint64_t q = load(cell + 8, 0, 8, 1).bits;
    show("same", load(cell, 0, 8, 2).bits == q);
}

static void pinned_index(void) {
    uint64_t i = two_locals() + 16;
    veer_make((void *)i, &type_int, "i");
    struct value index = load(i, 0, 4, 1);
    index = zero_extend(32, 64, index);
    struct value at = add(64, index, constant(ADDRESS(table)));
    veer_access(at.bits, at.shadow, 8, 0, 2);
    veer_access(at.bits, at.shadow, 8, 0, 3);
}

static void copies_symbolic_size(void) {
    uint64_t frame = two_locals(), n = frame + 16;
    veer_make((void *)n, &type_long, "n");
    struct value size = load(n, 0, 8, 1);
    pass((void *)veer_memset, 0, 0, size.shadow);
    veer_memset((void *)(frame + 64), 1, size.bits);
}

static void divides(void) {
    uint64_t frame = two_locals(), a = frame + 16, b = frame + 64;
    veer_make((void *)a, &type_int, "a");
    veer_make((void *)b, &type_int, "b");
    struct value x = load(a, 0, 4, 1), y = load(b, 0, 4, 2);
    veer_binary(VEER_OP_SDIV, 32, x.shadow, x.bits, y.shadow, y.bits, 3);
}

static void shifts(void) {
    uint64_t a = two_locals() + 16;
    veer_make((void *)a, &type_int, "a");
    struct value x = load(a, 0, 4, 1);
    struct value result = {(uint32_t)(1u << (x.bits & 31)), veer_binary(VEER_OP_SHL, 32, 0, 1, x.shadow, x.bits, 2)};
    branch(equal(32, result, 8), 3);
}

static void switches(void) {
    static const uint64_t cases[] = {10, 20, 30};
    uint64_t a = two_locals() + 16;
    veer_make((void *)a, &type_int, "a");
    struct value x = load(a, 0, 4, 1);
    veer_switch(x.shadow, x.bits, 32, 5, 3, cases);
}

static void assumes(void) {
    uint64_t a = two_locals() + 16;
    veer_make((void *)a, &type_int, "a");
    struct value x = load(a, 0, 4, 1);
    struct value positive = compare(VEER_PREDICATE_SGT, 32, x, constant(0), (int32_t)x.bits > 0);
    pass((void *)veer_assume, positive.shadow, 0, 0);
    veer_assume((int)positive.bits);
    struct value seven = equal(32, x, 7);
    pass((void *)veer_assert, seven.shadow ? veer_unary(VEER_OP_NOT, 1, seven.shadow, seven.bits) : 0, 0, 0);
    veer_assert(!seven.bits, "x is not 7");
}

static void clamped(void) {
    uint64_t a = two_locals() + 16;
    veer_make((void *)a, &type_signed_byte, "a");
    int8_t value = (int8_t)load(a, 0, 1, 1).bits;
    veer_result(&value, 1, 0);
}

static void counts(void) {
    uint64_t value = load(ADDRESS(counter), 0, 8, 1).bits + 1;
    veer_result(&value, 8, 0);
    store(ADDRESS(counter), constant(value), 8, 2);
    ((volatile char *)ADDRESS(large))[20000]++;
    uint8_t byte = (uint8_t)((volatile char *)ADDRESS(large))[20000];
    veer_result(&byte, 1, 0);
    veer_make((void *)ADDRESS(table), &type_int, "t");
    show("symbolic", symbolic(load(ADDRESS(table), 0, 4, 3)));
}

static void global_overflow(void) {
    for (uint64_t k = 0; k < 4096; k++) store(ADDRESS(table) + k, constant(1), 1, 7);
}

static void wild_write(void) { store(0x123456789000ull, constant(1), 8, 4); }
static void wild_low(void) { store(0x7e000000, constant(1), 8, 4); }
static void own_memory(void) { store(VEER_SHARED_BASE, constant(1), 8, 4); }
static void null_read(void) { load(8, 0, 4, 6); }

static int recurse(volatile int *depth) {
    volatile int here[64] = {1};
    return ++*depth < 0 ? 0 : recurse(depth) + here[*depth & 63];
}

static void native_overflow(void) {
    volatile int depth = 0;
    recurse(&depth);
}

static void local_overflow(void) {
    for (;;) two_locals();
}

static void library_fault(void) {
    enter(11);
    free(strdup((const char *)0x5000000000000ull)); /* not canonical; no function that a compiler's own runtime has, too */
}

static void hangs(void) {
    for (;;)
        if (--VEER_HOT->steps < 0) veer_hang(12);
}

static void exits(void) { veer_exit(3, 42); }
static void library_exits(void) { exit(43); }
static void aborts(void) { abort(); }
static void asserts(void) { veer_assert_fail(5, "x > 0"); }
static void traps(void) { __builtin_trap(); }

static void divides_by_zero(void) {
    volatile int zero = 0, one = 1;
    one = one / zero;
}

static void frees_twice(void) {
    void *p = veer_malloc(10);
    veer_free(p);
    veer_free(p);
}

static void frees_middle(void) { veer_free((char *)veer_malloc(10) + 1); }
static void frees_global(void) { veer_free((void *)ADDRESS(table)); }

static void uses_freed(void) {
    enter(20);
    char *p = veer_malloc(10);
    leave();
    veer_free(p);
    load((uint64_t)(uintptr_t)p + 3, 0, 1, 21);
}

static void heap_overflow(void) {
    char *p = veer_malloc(10);
    load((uint64_t)(uintptr_t)p + 8, 0, 4, 22);
}

static void expired_local(void) {
    uint64_t mark = VEER_HOT->stack_pointer, frame = two_locals();
    veer_frame_end(mark);
    load(frame + 16, 0, 4, 23);
}

static void leaks(void) {
    void **kept = veer_malloc(16);
    kept[0] = veer_malloc(8);
    memcpy((void *)ADDRESS(counter), &kept, 8);
    enter(31);
    veer_malloc(24);
    leave();
}

static void reallocates(void) {
    uint64_t x = two_locals() + 16;
    veer_make((void *)x, &type_int, "x");
    char *p = veer_malloc(4);
    veer_memcpy(p, (void *)x, 4);
    char *q = veer_realloc(p, 400);
    show("moved", p != q && symbolic(load((uint64_t)(uintptr_t)q, 0, 4, 1)));
    show("huge", veer_malloc((uint64_t)-1) == NULL);
    free(malloc(3));
    char *librarys = strdup("a library's");
    veer_free(librarys);
    load((uint64_t)(uintptr_t)p, 0, 1, 2);
}

static void eats_memory(void) {
    for (;;) veer_malloc(1 << 20);
}

/* snprintf writes over symbolic bytes; printf does not lose anything. */
static void external(void) {
    uint64_t frame = two_locals(), x = frame + 16, text = frame + 64;
    veer_make((void *)x, &type_int, "x");
    veer_memcpy((void *)text, (void *)x, 4);
    struct value value = load(x, 0, 4, 1);
    struct veer_hot *hot = VEER_HOT;
    hot->arguments[0] = 0, hot->values[0] = (uint64_t)(uintptr_t)"%d";
    hot->arguments[1] = value.shadow, hot->values[1] = value.bits;
    veer_uninstrumented_begin(41, 2, "printf");
    veer_uninstrumented_end(41, 2, "printf");
    show("losses", VEER_CONTROL->ledger_count);
    hot->arguments[0] = 0, hot->values[0] = text;
    hot->arguments[1] = value.shadow, hot->values[1] = value.bits;
    veer_uninstrumented_begin(42, 2, "sprintf");
    sprintf((char *)text, "%d", (int)value.bits);
    veer_uninstrumented_end(42, 2, "sprintf");
    show("losses", VEER_CONTROL->ledger_count);
    show("written", symbolic(load(text, 0, 4, 2)));
    show("other", symbolic(load(x, 0, 4, 3)));
}

/* A library that swaps x and y calls back; what the callback reads and writes is concrete. */
static void called_back(void) {
    uint64_t frame = two_locals(), x = frame + 16, y = frame + 20;
    struct veer_hot *hot = VEER_HOT;
    veer_make((void *)x, &type_int, "x");
    struct value given = load(x, 0, 4, 1);
    hot->arguments[0] = 0, hot->values[0] = x;
    veer_uninstrumented_begin(46, 1, "foreign");
    enter(46);
    *(int *)(uintptr_t)x = 42;
    show("read", symbolic(load(x, 0, 4, 2)));
    store(y, given, 4, 3);
    uint64_t mark = hot->stack_pointer, own = two_locals() + 16;
    store(own, given, 4, 4);
    show("own", symbolic(load(own, 0, 4, 5)));
    veer_memcpy((void *)(y + 4), (void *)own, 4);
    veer_frame_end(mark);
    *(int *)(uintptr_t)y = 43;
    show("stored", symbolic(load(y, 0, 4, 6)));
    show("copied", symbolic(load(y + 4, 0, 4, 6)));
    leave();
    veer_uninstrumented_end(46, 1, "foreign");
    store(y, given, 4, 7);
    show("after", symbolic(load(y, 0, 4, 8)));
}

/* More objects than the tracer lists are reached by a call. */
static void reaches_many(void) {
    uint64_t x = two_locals() + 16, first = 0;
    veer_make((void *)x, &type_int, "x");
    struct value given = load(x, 0, 4, 1);
    for (int k = 0; k < 2000; k++) {
        uint64_t cell = (uint64_t)(uintptr_t)veer_malloc(16);
        store(cell, given, 4, 2);
        store(cell + 8, constant(first), 8, 3);
        first = cell;
    }
    VEER_HOT->arguments[0] = 0, VEER_HOT->values[0] = first;
    veer_uninstrumented_begin(47, 1, "foreign");
    veer_uninstrumented_end(47, 1, "foreign");
    uint64_t left = 0;
    for (uint64_t cell = first; cell; cell = load(cell + 8, 0, 8, 4).bits) left += symbolic(load(cell, 0, 4, 5));
    show("left", left);
}

static void starts(void) {
    uint64_t value = load(ADDRESS(started), 0, 8, 1).bits;
    veer_result(&value, 8, 0);
}

static void starts_badly(void) {}

/* A constructor of the unit's. */
static void construct(void) {
    const char *wanted = getenv("VEER_CASE");
    if (wanted && strcmp(wanted, "starts_badly") == 0) load(8, 0, 4, 48);
    store(ADDRESS(started), constant(load(ADDRESS(started), 0, 8, 1).bits + 1), 8, 2);
}
static const veer_constructor constructor __attribute__((section("veer_constructors"), used)) = construct;

static void forks(void) { veer_uninstrumented_begin(44, 0, "fork"); }
static void kills(void) { raise(SIGKILL); }
static void closes_all(void) {
    for (int k = 0; k < 1024; k++) close(k);
}
static void wild_call(void) { veer_indirect(0x20000100, 0, 45); }

static void unsupported_input(void) {
    uint64_t x = two_locals() + 16;
    veer_make((void *)x, &type_wide, "x");
}

static void chooses(void) {
    uint64_t value = veer_choose(3, "which");
    veer_result(&value, 8, 0);
}

static void fills_trace(void) {
    uint64_t frame = two_locals(), x = frame + 16;
    veer_make((void *)x, &type_long, "x");
    struct value value = load(x, 0, 8, 1);
    for (uint64_t k = 1; k < 3000000; k++) branch(equal(64, value, k), 1);
}

static void raw_bytes(void) {
    uint64_t x = two_locals() + 16;
    veer_make_symbolic((void *)x, 7, "raw", 0);
    veer_make_symbolic((void *)(x + 8), 8, "raw", 4);
    veer_result((void *)x, 16, 0);
}

static void calls_deep(void) {
    uint64_t x = two_locals() + 16;
    veer_make((void *)x, &type_int, "x");
    enter(51);
    enter(52);
    branch(equal(32, load(x, 0, 4, 1), 5), 2);
    leave();
    branch(equal(32, load(x, 0, 4, 1), 6), 2);
    veer_abort(53);
}

static void wrong_shadow(void) {
    uint64_t x = two_locals() + 16;
    veer_make((void *)x, &type_int, "x");
    struct value value = load(x, 0, 4, 1);
    value.bits++;
    branch(equal(32, value, 5), 2);
}

/* 10 independent branches. */
static void many_branches(void) {
    uint64_t x = two_locals() + 16;
    veer_make_symbolic((void *)x, 10, "x", 1);
    for (uint32_t k = 0; k < 10; k++) {
        struct value byte = load(x + k, 0, 1, k);
        branch(compare(VEER_PREDICATE_ULT, 8, byte, constant(100 + k), (uint8_t)byte.bits < 100 + k), k);
    }
}

/* A decision, a choice, and 8 more decisions. */
static void many_choices(void) {
    uint64_t x = two_locals() + 16;
    veer_make_symbolic((void *)x, 10, "x", 1);
    branch(equal(8, load(x, 0, 1, 1), 1), 1);
    uint64_t chosen = veer_choose(3, "which");
    veer_result(&chosen, 8, 0);
    for (uint32_t k = 2; k < 10; k++) branch(equal(8, load(x + k, 0, 1, k), 0), k);
}

#define BINARY(OP, EXPRESSION)                                                                                  \
    store(frame + 64, (struct value){(uint32_t)(EXPRESSION), veer_binary(VEER_OP_##OP, 32, x.shadow, x.bits, y.shadow, y.bits, 1)}, 4, 2)
#define COMPARE(PREDICATE, EXPRESSION)                                                                          \
    store(frame + 64, compare(VEER_PREDICATE_##PREDICATE, 32, x, y, (EXPRESSION)), 1, 3)

/* Every operation on two ints; veer_store compares expression and value when VEER_VERIFY is set. */
static void computes(void) {
    uint64_t frame = two_locals();
    veer_make((void *)(frame + 16), &type_int, "a");
    veer_make((void *)(frame + 20), &type_int, "b");
    struct value x = load(frame + 16, 0, 4, 1), y = load(frame + 20, 0, 4, 1);
    uint32_t a = (uint32_t)x.bits, b = (uint32_t)y.bits;
    int32_t s = (int32_t)a, t = (int32_t)b;
    BINARY(ADD, a + b);
    BINARY(SUB, a - b);
    BINARY(MUL, a * b);
    BINARY(AND, a & b);
    BINARY(OR, a | b);
    BINARY(XOR, a ^ b);
    BINARY(SHL, a << (b & 31));
    BINARY(LSHR, a >> (b & 31));
    BINARY(ASHR, s >> (b & 31));
    COMPARE(EQ, a == b);
    COMPARE(NE, a != b);
    COMPARE(UGT, a > b);
    COMPARE(UGE, a >= b);
    COMPARE(ULT, a < b);
    COMPARE(ULE, a <= b);
    COMPARE(SGT, s > t);
    COMPARE(SGE, s >= t);
    COMPARE(SLT, s < t);
    COMPARE(SLE, s <= t);
    struct value wide = zero_extend(32, 64, x);
    store(frame + 64, wide, 8, 4);
    store(frame + 64, (struct value){(uint64_t)(int64_t)s, veer_cast(VEER_OP_SEXT, 32, 64, x.shadow, x.bits)}, 8, 5);
    store(frame + 64, (struct value){(uint8_t)a, veer_cast(VEER_OP_EXTRACT, 32, 8, x.shadow, x.bits)}, 1, 6);
    BINARY(UDIV, a / b);
    BINARY(UREM, a % b);
    BINARY(SDIV, s / t);
    BINARY(SREM, s % t);
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    return bits;
}

#define FLOATING(OP, EXPRESSION)                                                                                \
    store(frame + 64, (struct value){bits_of(EXPRESSION), veer_binary(VEER_OP_##OP, 64, u.shadow, u.bits, v.shadow, v.bits, 1)}, 8, 2)
#define COMPARE_FLOATS(PREDICATE, EXPRESSION)                                                                   \
    store(frame + 64, compare(VEER_PREDICATE_##PREDICATE, 64, u, v, (EXPRESSION)), 1, 3)
#define CONVERT(OP, WIDTH, TYPE)                                                                                \
    store(frame + 64, (struct value){(uint64_t)(TYPE)x, veer_cast(VEER_OP_##OP, 64, WIDTH, u.shadow, u.bits)}, WIDTH / 8, 4)

/* The same for doubles; conversions are those that LLVM generates for this file. */
/* Stores both halves of a result, which compares them with the value. */
static void store_wide(uint64_t to, uint64_t shadows, uint32_t width, unsigned __int128 value) {
    unsigned __int128 cut = width == 128 ? value : value & (((unsigned __int128)1 << width) - 1);
    uint64_t low = (uint64_t)cut, high = (uint64_t)(cut >> 64);
    store(to, (struct value){low, (uint32_t)shadows}, 8, 3);
    store(to, zero_extend(width - 64, 64, (struct value){high, (uint32_t)(shadows >> 32)}), 8, 3);
}

#define WIDE(OP, VALUE) \
    store_wide(frame + 64, veer_wide_binary(VEER_OP_##OP, width, sa, (uint64_t)a, (uint64_t)(a >> 64), sb, (uint64_t)b, (uint64_t)(b >> 64), 3), width, (unsigned __int128)(VALUE))
#define WIDE_COMPARE(PREDICATE, VALUE) \
    store(frame + 64, zero_extend(1, 8, (struct value){(VALUE), veer_wide_compare(VEER_PREDICATE_##PREDICATE, width, sa, (uint64_t)a, (uint64_t)(a >> 64), sb, (uint64_t)b, (uint64_t)(b >> 64), 3)}), 1, 3)

/* Integers of 128 bits, and their lower 100 bits. */
static void computes_wide(void) {
    static const struct veer_type type_word = SIZED(VEER_TYPE_UNSIGNED, 8, 20);
    uint64_t frame = two_locals();
    struct value x[4];
    for (uint32_t k = 0; k < 4; k++) {
        veer_make((void *)(frame + 16), &type_word, (const char *[]){"a", "b", "c", "d"}[k]);
        x[k] = load(frame + 16, 0, 8, 1);
    }
    for (uint32_t width = 128; width >= 100; width -= 28) {
        uint64_t sa = x[0].shadow | (uint64_t)x[1].shadow << 32, sb = x[2].shadow | (uint64_t)x[3].shadow << 32;
        unsigned __int128 a = (unsigned __int128)x[1].bits << 64 | x[0].bits, b = (unsigned __int128)x[3].bits << 64 | x[2].bits;
        if (width < 128) {
            sa = veer_wide_cast(VEER_OP_EXTRACT, 128, width, sa, (uint64_t)a, (uint64_t)(a >> 64), 3);
            sb = veer_wide_cast(VEER_OP_EXTRACT, 128, width, sb, (uint64_t)b, (uint64_t)(b >> 64), 3);
            a = a << 28 >> 28, b = b << 28 >> 28;
        }
        __int128 s = (__int128)(a << (128 - width)) >> (128 - width), t = (__int128)(b << (128 - width)) >> (128 - width);
        WIDE(ADD, a + b);
        WIDE(SUB, a - b);
        WIDE(MUL, a * b);
        WIDE(AND, a & b);
        WIDE(OR, a | b);
        WIDE(XOR, a ^ b);
        WIDE_COMPARE(EQ, a == b);
        WIDE_COMPARE(NE, a != b);
        WIDE_COMPARE(UGT, a > b);
        WIDE_COMPARE(UGE, a >= b);
        WIDE_COMPARE(ULT, a < b);
        WIDE_COMPARE(ULE, a <= b);
        WIDE_COMPARE(SGT, s > t);
        WIDE_COMPARE(SGE, s >= t);
        WIDE_COMPARE(SLT, s < t);
        WIDE_COMPARE(SLE, s <= t);
        if (width == 128 || b < width) {
            WIDE(SHL, a << (b & 127));
            WIDE(LSHR, a >> (b & 127));
            WIDE(ASHR, s >> (b & 127));
        }
        WIDE(UDIV, a / b);
        WIDE(UREM, a % b);
        if (t != -1) WIDE(SDIV, s / t);
        if (t != -1) WIDE(SREM, s % t);
    }
}

static void computes_floats(void) {
    static const struct veer_type type_double = SIZED(VEER_TYPE_FLOAT, 8, 20);
    uint64_t frame = two_locals();
    veer_make((void *)(frame + 16), &type_double, "x");
    veer_make((void *)(frame + 24), &type_double, "y");
    struct value u = load(frame + 16, 0, 8, 1), v = load(frame + 24, 0, 8, 1);
    volatile double x, y;
    memcpy((void *)&x, &u.bits, 8);
    memcpy((void *)&y, &v.bits, 8);
    FLOATING(FADD, x + y);
    FLOATING(FSUB, x - y);
    FLOATING(FMUL, x * y);
    FLOATING(FDIV, x / y);
    COMPARE_FLOATS(OEQ, x == y);
    COMPARE_FLOATS(OLT, x < y);
    COMPARE_FLOATS(OLE, x <= y);
    COMPARE_FLOATS(OGT, x > y);
    COMPARE_FLOATS(OGE, x >= y);
    COMPARE_FLOATS(UNE, x != y);
    COMPARE_FLOATS(UNO, x != x || y != y);
    COMPARE_FLOATS(ORD, x == x && y == y);
    COMPARE_FLOATS(ONE, x < y || x > y);
    COMPARE_FLOATS(UEQ, !(x < y || x > y));
    COMPARE_FLOATS(FUGT, !(x <= y));
    COMPARE_FLOATS(FUGE, !(x < y));
    COMPARE_FLOATS(FULT, !(x >= y));
    COMPARE_FLOATS(FULE, !(x > y));
    CONVERT(FPTOSI, 8, int8_t);
    CONVERT(FPTOSI, 16, int16_t);
    CONVERT(FPTOSI, 32, int32_t);
    CONVERT(FPTOSI, 64, int64_t);
    CONVERT(FPTOUI, 8, uint8_t);
    CONVERT(FPTOUI, 16, uint16_t);
    CONVERT(FPTOUI, 32, uint32_t);
    CONVERT(FPTOUI, 64, uint64_t);
    float narrow = (float)x;
    uint32_t narrow_bits;
    memcpy(&narrow_bits, &narrow, 4);
    struct value small = {narrow_bits, veer_cast(VEER_OP_FPTRUNC, 64, 32, u.shadow, u.bits)};
    store(frame + 64, small, 4, 5);
    store(frame + 64, (struct value){bits_of((double)narrow), veer_cast(VEER_OP_FPEXT, 32, 64, small.shadow, small.bits)}, 8, 6);
    store(frame + 64, (struct value){bits_of((double)(int64_t)u.bits), veer_cast(VEER_OP_SITOFP, 64, 64, u.shadow, u.bits)}, 8, 7);
    store(frame + 64, (struct value){bits_of((double)u.bits), veer_cast(VEER_OP_UITOFP, 64, 64, u.shadow, u.bits)}, 8, 8);
    store(frame + 64, (struct value){bits_of(-x), veer_unary(VEER_OP_FNEG, 64, u.shadow, u.bits)}, 8, 9);
    store(frame + 64, (struct value){bits_of(__builtin_fabs(x)), veer_unary(VEER_OP_FABS, 64, u.shadow, u.bits)}, 8, 10);
}

#define CASE(NAME) {#NAME, NAME}
static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    CASE(fragments), CASE(reads_string), CASE(measures_string), CASE(indexes_string), CASE(reads_buffer), CASE(graph),
    CASE(copied_pointer), CASE(two_pointers), CASE(pointer_as_number), CASE(pinned_index), CASE(copies_symbolic_size), CASE(divides), CASE(shifts), CASE(switches), CASE(assumes),
    CASE(clamped), CASE(counts), CASE(global_overflow), CASE(wild_write), CASE(wild_low), CASE(own_memory), CASE(null_read),
    CASE(native_overflow), CASE(local_overflow), CASE(library_fault), CASE(hangs), CASE(exits), CASE(library_exits), CASE(aborts),
    CASE(asserts), CASE(traps), CASE(divides_by_zero), CASE(frees_twice), CASE(frees_middle), CASE(frees_global), CASE(uses_freed),
    CASE(heap_overflow), CASE(expired_local), CASE(leaks), CASE(reallocates), CASE(eats_memory), CASE(external), CASE(forks), CASE(kills),
    CASE(closes_all), CASE(wild_call), CASE(unsupported_input), CASE(chooses), CASE(fills_trace), CASE(raw_bytes),
    CASE(calls_deep), CASE(wrong_shadow), CASE(many_branches), CASE(computes),
    CASE(computes_floats), CASE(computes_wide), CASE(skips_string), CASE(last_padding), CASE(last_pointer), CASE(lengthens_string), CASE(called_back), CASE(reaches_many),
    CASE(starts), CASE(starts_badly), CASE(many_choices)};

void veer_main(void) {
    const char *wanted = getenv("VEER_CASE");
    for (unsigned k = 0; wanted && k < sizeof cases / sizeof *cases; k++)
        if (strcmp(cases[k].name, wanted) == 0) cases[k].run();
}
