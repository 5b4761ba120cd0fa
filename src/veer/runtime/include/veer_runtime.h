/* What instrumented code calls. The fast paths (everything concrete, everything addressable) are inlined by the
   instrumenter; these are the slow paths. A shadow of a value is 0 or 1 for "concrete", else an expression's id.

   Fast path of a load of n bytes at address a (n = 1, 2, 4, 8):
       words = *(u32[n] *)(SHADOW_BASE + (a & 0x7fffffff) * 4)
       if (all words == 1 && a >> 31 == 0 && shadow(a) <= 1)  shadow(result) = 0
       else                                                  shadow(result) = veer_load(...)
       result = the plain load
   A store is the same with `&& shadow(value) <= 1`, and veer_store before the plain store.

   Any of these functions may end the run (siglongjmp) instead of returning. */
#ifndef VEER_RUNTIME_H
#define VEER_RUNTIME_H
#include "veer_wire.h"

#define VEER_HOT ((struct veer_hot *)(uintptr_t)VEER_HOT_BASE)
#define VEER_COVERAGE ((uint8_t *)(uintptr_t)VEER_COVERAGE_BASE)
#define VEER_SHADOW ((uint32_t *)(uintptr_t)VEER_SHADOW_BASE)

/* -- values ------------------------------------------------------------------------------------------------ */
/* `width` in bits. For operations on values wider than 64 bits the instrumenter calls veer_unsupported instead.
   float and double travel as their bits. A concrete operand (shadow <= 1) is given by its value. */
uint32_t veer_binary(uint32_t op, uint32_t width, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b, uint32_t site);
uint32_t veer_compare(uint32_t predicate, uint32_t width, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b);
uint32_t veer_compare_null(uint32_t predicate, uint32_t shadow, uint64_t address);
uint32_t veer_cast(uint32_t op, uint32_t from, uint32_t to, uint32_t s, uint64_t value);
/* op: FNEG, FABS, FSQRT, FRINT ... FROUND, CTPOP, NOT */
uint32_t veer_unary(uint32_t op, uint32_t width, uint32_t s, uint64_t value);
/* Integers of 65 to 128 bits: a value is its lower and its upper 64 bits (zero-extended), a shadow that of the lower 64 bits plus that
   of the rest << 32; so are the results. The other type of a cast may have 64 bits or fewer. */
uint64_t veer_wide_binary(uint32_t op, uint32_t width, uint64_t sa, uint64_t a_low, uint64_t a_high, uint64_t sb, uint64_t b_low,
                          uint64_t b_high, uint32_t site);
uint32_t veer_wide_compare(uint32_t predicate, uint32_t width, uint64_t sa, uint64_t a_low, uint64_t a_high, uint64_t sb, uint64_t b_low,
                           uint64_t b_high, uint32_t site);
uint64_t veer_wide_cast(uint32_t op, uint32_t from, uint32_t to, uint64_t s, uint64_t low, uint64_t high, uint32_t site);
/* condition ? a : b, all three evaluated; no branch of the program. */
uint32_t veer_ternary(uint32_t width, uint32_t sc, uint64_t condition, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b);
/* The float a * b + c, rounded once. */
uint32_t veer_fused_sum(uint32_t width, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b, uint32_t sc, uint64_t c);
/* What has no symbolic meaning: counted, in the ledger (loss = enum veer_loss), the result is concrete. */
void veer_unsupported(uint32_t site, uint32_t loss);
/* Before a value is used where no term can follow: a pointer input that is still open is decided. The value's shadow from then on. */
uint32_t veer_settle(uint32_t shadow, uint32_t site);

/* -- decisions --------------------------------------------------------------------------------------------- */
/* Called only when the condition is symbolic; the instrumented code itself marks coverage and the path hash. */
void veer_branch(uint32_t condition, uint32_t taken, uint32_t site);
/* The same for a check that the compiler put in (-fsanitize): taken = 1 is the good side, site its site. */
void veer_check(uint32_t condition, uint32_t good, uint32_t site);
/* A symbolic switch is an ordered chain of equalities: link k has site first_site + k, side 1 = this case. The
   chain ends at the case that holds. */
void veer_switch(uint32_t shadow, uint64_t value, uint32_t width, uint32_t first_site, uint32_t count, const uint64_t *cases);
/* An address that is called (indirect call through a symbolic pointer), a symbolic size, ...: GUARD literal value == x. */
void veer_pin(uint32_t shadow, uint64_t value, uint32_t width, uint32_t site);

/* -- memory ------------------------------------------------------------------------------------------------ */
/* Of 8 bytes `size` says also whether they are loaded as a pointer, and which identifier stands in the source there (unions). */
#define VEER_LOAD_SIZE(size) ((size)&0xffu)
#define VEER_LOAD_IS_POINTER(size) ((size) >> 8 & 1u)
#define VEER_LOAD_NAME(size) ((size) >> 16)
uint32_t veer_load(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t site);
void veer_store(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t value_shadow, uint64_t value, uint32_t site);
/* Accesses of more than 8 bytes or odd sizes (i128, x86_fp80, vectors): bounds are checked, symbolic bytes concretised. */
void veer_access(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t is_store, uint32_t site);

/* Locals that stay in memory. The instrumenter turns all constant-size allocas of the entry block into one frame:
       %mark = load VEER_HOT->stack_pointer ; %frame = veer_frame(total, count, written, layout)  ; local k = %frame + layout[2k]
       layout[2k] = offset, layout[2k+1] = size; offsets leave >= 16 unaddressable bytes before, between and behind,
       and respect each alignment; total is a multiple of 16 (the frame itself is aligned to 64).
   before every return: veer_frame_end(%mark). Contents start as zero; nobody reads the first `written` before they are written. */
uint64_t veer_frame(uint64_t total, uint32_t count, uint32_t written, const uint32_t *layout);
void veer_frame_end(uint64_t mark);
/* Other allocas (VLAs, alloca()): */
uint64_t veer_alloca(uint64_t size, uint32_t size_shadow, uint64_t alignment, uint32_t site);

/* llvm.memcpy/memmove/memset and the libc functions of these names are redirected here (they check bounds and move
   shadows). The arguments' shadows are in VEER_HOT->arguments as for any call. */
/* An argument of a va_list is about to be read, as a floating-point number or as any other. */
void veer_rest_read(const void *list, uint32_t is_real);
void *veer_memcpy(void *to, const void *from, uint64_t size);
void *veer_memmove(void *to, const void *from, uint64_t size);
void *veer_memset(void *to, int value, uint64_t size);
void *veer_malloc(uint64_t size);
void *veer_calloc(uint64_t count, uint64_t size);
void *veer_realloc(void *old, uint64_t size);
void veer_free(void *object);
void *veer_aligned_alloc(uint64_t alignment, uint64_t size);

/* -- places (instrument/placement.py) ----------------------------------------------------------------------- */
/* Before two addresses are compared by order, or subtracted, that do not both lie within [placed_base, placed_base + placed_size]. */
void veer_compare_places(uint64_t left, uint64_t right);
/* Before something is computed with the bits of an address. */
void veer_ask_place(void);
/* Likewise, of integers that may be addresses, or something else. */
void veer_compare_numbers(uint64_t left, uint64_t right);
void veer_ask_bits(uint64_t number);
void veer_ask_bits_of_difference(uint64_t left, uint64_t right);

/* -- calls --------------------------------------------------------------------------------------------------
   Before a call (not to veer_* itself), when any argument is symbolic: arguments[i] = shadow(i), callee = the address
   called; when all are concrete: callee = 0. Then frames[depth].site = site of the call, frames[depth].context = 0,
   depth += 1 (and depth is stored back to its old value after the call).
   At the entry of an instrumented function: steps -= 1, steps < 0 → veer_hang(); depth > MAX_DEPTH → veer_too_deep();
   shadow(argument i) = callee == this ? arguments[i] : 0; callee = 0.
   At a return: returned = shadow(value); returner = address of this function, or 0 when the value is surely concrete.
   After a call: shadow(result) = returner == the address called ? returned : 0 (returner set to 0 before the call);
   0 when it is known that the callee is not instrumented.
   At a loop's back edge: steps -= 1, and the same test. */
/* Lies twice in the 16 bytes before each instrumented function, and before those of the runtime whose address a program may take:
   how a caller tells them from uninstrumented code. */
#define VEER_FUNCTION_MARK 0x6e75667265657601
/* Variadic calls: the caller also stores the address of a table of places in VEER_HOT->variadic (instrument/variadic.py). At the entry of a
   function that has a va_start: areas = callee == this ? veer_variadic(variadic) : 0; after each va_start:
   veer_va_start(list, areas). */
uint64_t veer_variadic(const uint32_t *table, uint32_t site);
void veer_va_start(void *list, uint64_t areas, uint32_t site);
void veer_hang(uint32_t site);
void veer_too_deep(uint32_t site);
/* Before and after a call of a function that is known not to be instrumented and is not one of veer's models.
   arguments[i], values[i] (pointers and integers as u64) are set for the first `count` arguments; `name` is the callee's
   name or NULL. Before: a ledger entry when anything symbolic goes in, undecided pointers in the objects that arguments
   point to are decided. After: bytes that it may have written become concrete (functions known only to read, such as
   printf and puts, leave memory alone). A name behind the mark: something is computed with what the call returns. */
#define VEER_ANSWER_MARK '='
void veer_uninstrumented_begin(uint32_t site, uint32_t count, const char *name);
void veer_uninstrumented_end(uint32_t site, uint32_t count, const char *name);
/* Before an indirect call: a target that is not a function of the image or of a library is a bug (wild call). */
void veer_indirect(uint64_t target, uint32_t target_shadow, uint32_t site);
/* Before a computed goto: the same of a label of the function's. */
void veer_indirect_jump(uint64_t target, uint32_t target_shadow, uint32_t site);
/* longjmp and setjmp need nothing but: after setjmp returns, depth and stack_pointer are set back to the values
   saved before the call, through veer_frame_end(saved mark) and a store. */

/* Redirected by name: abort, exit, _exit, _Exit, quick_exit, __assert_fail, __assert, llvm.trap, llvm.ubsantrap */
_Noreturn void veer_abort(uint32_t site);
_Noreturn void veer_exit(uint32_t site, int code); /* exit(): what atexit registered runs before */
_Noreturn void veer_exit_at_once(uint32_t site, int code);
_Noreturn void veer_assert_fail(uint32_t site, const char *text);
_Noreturn void veer_trap(uint32_t site, uint32_t kind); /* kind: UBSan's number, 255 = llvm.trap, 254 = unreachable reached */
#define VEER_TRAP_OVERLAP 201 /* frontends/c/traps.py has the words */
#define VEER_TRAP_CONSTANT 202

/* At the place that --find names: it is reached, which is always so. At one that --avoid names: the run is no test, but behind a place that was
   sought (instrument/reaching.py). */
_Bool veer_place_reached(void);
void veer_place_avoided(void);

/* Called by veer's own libc: what it was asked for cannot be followed, so the run ends as unsupported. */
_Noreturn void veer_refuse(const char *what);
/* Called by it, too: a stream is used that fclose has ended; what was copied lay on its own copy. */
_Noreturn void veer_used_behind_close(void);
/* The unit has opened a stream, or closes it: one that is neither closed nor pointed to at the end is a leak. */
void veer_stream_begins(const void *stream, unsigned long size);
void veer_stream_ends(const void *stream);
_Noreturn void veer_overlaps(void);
/* The number that a concrete text begins with, as the machine's strtod and strtof read it, into a concrete local: how many characters it
   takes, blanks included (0: it is none); -1 when something of the text is symbolic or not to be read (tracer/numbers.c). */
long veer_read_double(const char *text, double *value);
long veer_read_float(const char *text, float *value);
/* Puts the number off that a text stands for: memory of `size` bytes at `to` has the value of this run, and `read(number)` is called, which leaves the
   number with its terms at `value`, where a byte of it is used (tracer/deferred.c). 0: this cannot be; it is to be read now. */
extern const char veer_reads_errno __attribute__((weak)); /* defined by each unit that may (instrument/instrument.py) */
int veer_defer_number(void *to, const void *value, uint32_t size, uint32_t number, void (*read)(uint32_t number), const char *text);
/* 1 + the place of the first byte `c` among `most` bytes of concrete text, or up to its NUL (VEER_WHOLE_STRING); 0: there is none. -1 when
   the byte is concrete, or something of the text is symbolic or not to be read (tracer/search.c). */
#define VEER_WHOLE_STRING (~0ull)
long veer_place_of(const void *text, int c, uint64_t most);
/* A text as it is in this run (tracer/texts.c): nothing is decided about its bytes, nor where it ends. How many of them stand before the NUL, `most`
   when there is none among so many; whether all are constants. */
uint64_t veer_text_length(const char *text, uint64_t most, int *is_constant);
/* Whether an input may be called so after a text that is constant. In a run without symbols every text is: there only names that other runs have found. */
int veer_may_be_name(const char *name);
/* So many bytes of it, with their terms. */
void veer_copy_text(char *to, const char *from, uint64_t size);
/* Whether a text has the bytes and terms that were copied of one, so that they are one text in each run that comes here; this decides nothing. */
int veer_is_same_text(const char *copy, const char *text);
/* Whether a text has these bytes in this run, which decides nothing. */
int veer_is_text(const char *text, const char *expected);

/* -- flows: the flow build (--partitioned) alone calls these (tracer/flow_*.c) -----------------------------------
   A flow is a set of inputs, 0 = none. `where`: the flow of an address, `shadow`: its shadow. `site`: of the instruction.
   `iteration`: a hash of how often the loops around the place (around the branch and its join) went round in this activation.
   Before a call the flows of its arguments are in VEER_FLOWS->arguments (the last place is for all from there on). */
uint32_t veer_flow_union(uint32_t left, uint32_t right, uint32_t kind, uint32_t site);
uint32_t veer_flow_load(uint64_t address, uint32_t size, uint32_t where, uint32_t shadow, uint32_t site);
void veer_flow_store(uint64_t address, uint32_t size, uint32_t value, uint32_t where, uint32_t shadow, uint32_t site, uint64_t iteration);
void veer_flow_note(uint32_t flow, uint32_t site);
void veer_flow_test(uint32_t flow, uint32_t site);
void veer_flow_branch(uint32_t flow, uint32_t join, uint64_t iteration, uint32_t site);
uint32_t veer_flow_join(uint32_t join, uint32_t site);
void veer_flow_call(uint64_t callee, uint32_t count, uint32_t site, uint64_t iteration, uint32_t is_known);
uint32_t veer_flow_result(uint64_t callee);
uint32_t veer_flow_enter(uint64_t self);
void veer_flow_leave(uint32_t flow, uint64_t self);
uint32_t veer_flow_variadic(uint32_t first);
void veer_flow_va_start(uint64_t list, uint32_t flow);
uint32_t veer_flow_alloca(uint32_t flow, uint32_t site);
void veer_flow_jump(uint32_t flow, uint32_t site);
uint32_t veer_flow_mark(void);
uint32_t veer_flow_land(uint32_t depth, uint32_t mark, uint32_t site);

/* -- boundaries, in the compositional build -------------------------------------------------------------------
   At a function's entry: level = veer_enter(its site); then for each scalar leaf of its parameters the shadow becomes
   veer_enter_argument(...), then veer_enter_memory(level). Before a return the shadow of each leaf of the value becomes
   veer_leave_result(...), then veer_leave(level). `width` has VEER_POINTER_WIDTH added for pointers. */
#define VEER_POINTER_WIDTH 0x100u
uint32_t veer_enter(uint32_t function);
uint32_t veer_enter_argument(uint32_t level, uint32_t index, uint32_t shadow, uint32_t width, uint64_t value);
void veer_enter_memory(uint32_t level);
uint32_t veer_leave_result(uint32_t level, uint32_t index, uint32_t shadow, uint32_t width, uint64_t value);
void veer_leave(uint32_t level);

/* What a function uses as far as its text says (instrument/uses.py), in section "veer_uses" of compositional builds: the object that an
   argument leads to, or a global (argument VEER_NONE). A `fact` that is not 0 stands for the argument VEER_NONE - fact. */
struct veer_use {
    uint64_t function;
    const void *base;
    uint32_t argument, unit, written, fact;
};

/* -- the unit's globals --------------------------------------------------------------------------------------
   Every defined global of an instrumented module is wrapped as { [16 + pad] redzone, value, redzone } in section
   "veer_data" (writable) or "veer_const" (constant), and described in section "veer_objects" by one of these; the linker gives
   __start_veer_objects and __stop_veer_objects. Thread-locals become plain globals. */
struct veer_global {
    const void *address;
    uint64_t size;
    const char *name;
    uint32_t writable;
    uint32_t is_external_visible; /* unused so far */
};
/* Constructors of instrumented modules, by priority within each module: they cannot run before main, which maps the memory
   that they touch, so the tracer calls them at the beginning of each run (both symbols are NULL when there are none). */
typedef void (*veer_constructor)(void);
extern const veer_constructor __start_veer_constructors[] __attribute__((weak));
extern const veer_constructor __stop_veer_constructors[] __attribute__((weak));
#endif
