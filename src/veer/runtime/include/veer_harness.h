/* What a harness calls: typed inputs, results, preconditions. Generated harnesses and veer.h stand on this. */
#ifndef VEER_HARNESS_H
#define VEER_HARNESS_H
#include <stdint.h>

enum veer_type_kind {
    VEER_TYPE_UNSIGNED = 1, /* also pointers to functions' integers etc.; `size` 1, 2, 4, 8 */
    VEER_TYPE_SIGNED,
    VEER_TYPE_BOOL,
    VEER_TYPE_CHAR,
    VEER_TYPE_FLOAT,   /* size 4 or 8; 16 (long double) is filled with zeros and noted as unsupported */
    VEER_TYPE_POINTER, /* target, extent */
    VEER_TYPE_STRUCT,  /* fields */
    VEER_TYPE_UNION,   /* fields: a member that stands for all, and bytes that it leaves out */
    VEER_TYPE_ARRAY,   /* target, count */
    VEER_TYPE_OPAQUE   /* void, incomplete, function: a pointer to it is NULL or a fresh block of `maximum` bytes */
};

enum veer_extent {
    VEER_EXTENT_ONE = 0,    /* a fresh object is exactly one `target` */
    VEER_EXTENT_STRING = 1, /* up to `maximum` characters, then NUL; it ends exactly behind its first NUL */
    VEER_EXTENT_FIXED = 2,  /* exactly `maximum` elements */
    VEER_EXTENT_LENGTH = 3, /* exactly as many elements (`length_unit` 1) or bytes (0) as the input named `length` says, at most
                               `maximum`; where `high` is not 0: as the input says that lies so many bytes from the pointer */
    VEER_EXTENT_FUNCTION = 4, /* `function`, whose result is an input; all pointers of one type lead to one function */
    VEER_EXTENT_FLEXIBLE = 6, /* a struct and 0 .. `maximum` elements of its flexible array member, which lies at `low`; how many: the
                                 member at `high` - 1, or if `high` is 0 an input of its own, at VEER_COUNT_OFFSET of the object */
    VEER_EXTENT_END = 7, /* of a member: as many elements behind what the member `low` bytes from it leads to as an input in its place
                            says; `high`: and no more than the input says that lies so many bytes from it, 0 = it says how many there are */
    VEER_EXTENT_COUNT = 5     /* 1 .. `maximum` elements; how many is an input of its own, at VEER_COUNT_OFFSET of the object */
};
#define VEER_COUNT_OFFSET 0xfffffff0u

struct veer_type;
struct veer_field {
    uint32_t offset;
    uint32_t spare;
    const struct veer_type *type;
};
struct veer_type {
    uint32_t id; /* unique in the harness; Python keeps the table from id to C type */
    uint8_t kind;
    uint8_t nullable; /* POINTER: NULL is an alternative */
    uint8_t extent;
    uint8_t length_unit;
    uint32_t size;
    uint32_t count; /* POINTER with extent LENGTH: elements of zeros behind those that the length counts (argv[argc]); of a pointer
                       to a part of a larger object, which is its target: bytes from the object's beginning */
    uint32_t maximum;
    uint32_t alignment;
    const struct veer_field *fields;
    const struct veer_type *target;
    const char *length; /* name of the root input that holds the length */
    uint64_t low, high; /* integers: inclusive bounds when low != high or `count` is 1 (lengths, ranges, bool); extent FLEXIBLE;
                           UNION: `high` is 1 if the type of a load says whether it is a pointer, and not its name */
    const void *function; /* extent FUNCTION; STRUCT: called for each new input object of this type, or 0; of a pointer to a part of a
                             larger object: the row of what it is declared to lead to */
    uint32_t bound; /* enum veer_bound: what decides `maximum`, and `high` of a length; it may have grown (tracer/growth.h) */
    uint32_t longer; /* VEER_BOUND_LONGER: of extent LENGTH, where the length is a guess; once that has grown there may be more elements, at
                        most `maximum`: how many is an input of its own, at VEER_COUNT_OFFSET of the object */
};

/* Makes the root input `name` of that type in *cell. Integers and floats become leaves at once; a pointer has its
   alternatives at its first load (0 NULL, 1 fresh, 2 + k = the k-th object that it may lead to), and stays open until it is
   followed (docs/decisions/0095). */
void veer_make(void *cell, const struct veer_type *type, const char *name);
/* Raw bytes: `element` = 1, 2, 4 or 8 is the width of each leaf in bytes, 0 = one leaf if size is 1, 2, 4, 8, else bytes. */
void veer_make_symbolic(void *cell, uint64_t size, const char *name, uint64_t element);
void veer_assume(int condition);         /* its shadow comes as for any call */
void veer_assert(int condition, const char *text);
void veer_result(const void *value, uint32_t size, uint32_t type); /* recorded for the tests; type = veer_type.id or 0 */
void veer_returned(const void *value, uint32_t size, uint32_t is_scalar); /* a scalar that the entry returns is used: it must have been written */
/* A variable of the unit whose value is recorded, to be called before and after the entry (`when`: a veer_outputkind);
   afterwards the memory of all input objects is recorded, too. Recorded runs only. */
struct veer_variable {
    const void *address;
    uint32_t size;
    uint32_t spare;
};
void veer_outputs(const struct veer_variable *variables, uint32_t count, uint32_t when);
/* A class of a language whose objects begin with the number of their class, and whose arrays have their length at 8 and elements from 16.
   Letters of members and elements are those of Java's descriptors, L for all references. Rows are listed by the number of the class. */
enum veer_class_kind {
    VEER_CLASS_OPAQUE = 0,   /* not looked into */
    VEER_CLASS_FIELDS = 1,
    VEER_CLASS_ARRAY = 2,
    VEER_CLASS_TEXT = 3,     /* members: its array of units, whether a unit has two bytes */
    VEER_CLASS_BOX = 4,      /* its number */
    VEER_CLASS_CONSTANT = 5, /* its name, a text */
    VEER_CLASS_LIST = 6      /* its array of references, how many of them count */
};
struct veer_member {
    const char *name;
    uint32_t offset;
    char letter;
};
struct veer_class {
    const char *name;
    const struct veer_member *members;
    uint32_t count;
    uint8_t kind;
    char letter; /* ARRAY: of the elements */
};
/* Appends to the result what it leads to, and the objects of the inputs, as text (tracer/graphs.c). Recorded runs only. */
void veer_describe(const void *result, const void *object, const struct veer_class *classes, uint32_t count);
/* Makes the objects of these rows that the run knows to be there and has not looked into (tracer/unmade.c). */
void veer_make_asked(const uint32_t *rows, uint32_t count);
void veer_error(const char *text);      /* reach_error, klee_report_error: an assertion failure with this text */
void veer_silent_exit(int code);        /* klee_silent_exit: the run ends and is no test */
uint64_t veer_choose(uint64_t count, const char *name); /* an n-way CHOICE, value in 0 .. count - 1 */
uint32_t veer_is_symbolic(uint64_t value); /* whether the value is an expression of inputs (klee_is_symbolic) */
void veer_needs(const void *place, uint64_t size); /* bytes that will be read; a size that is an input is checked before it gets a value */
/* Bounds of memory graphs, set by the harness before its first veer_make. */
void veer_set_bounds(uint32_t graph_depth, uint32_t maximum_objects);
/* A number of that bound (enum veer_bound) after all its doublings. */
uint64_t veer_grown_bound(uint32_t bound, uint64_t number);
/* A run would have gone another way had that bound been larger. */
void veer_come_to_bound(uint32_t bound);
/* Whether clocks that nobody named are inputs; else the run depends on what they tell without. */
uint32_t veer_clocks_are_inputs(void);
/* Root inputs that are made from now on lie so deep already: chains of pointers from them are shorter than graph_depth by this. */
void veer_set_root_depth(uint32_t depth);
/* Before the call of an entry with `...`: what it reads there lies where the pointer in `cell` leads, eight bytes each (a va_list of x86-64 whose
   registers are used up). A replay fills in what a call is given: the numbers and texts in their order, and the floats. */
enum { VEER_MOST_REST = 8 }; /* of either kind, at most (model/variadic.py) */
void veer_rest(void *cell, long long *numbers, double *reals);
/* What a stub was given: the function that it stands for may keep or free it, and all that it leads to. Those blocks are no leaks. */
void veer_give(const void *pointer);

/* Eager initialisation: roots that are made from now on are made with all that they lead to, once veer_unfold is called. */
void veer_set_eager(void);
void veer_unfold(void);
/* Compositional runs: the pointers among the roots that are made from now on are decided, and how long what they lead to is, once
   veer_settle_roots is called. */
void veer_set_settled(void);
void veer_settle_roots(void);
/* Call sequences (CUTE section 3.6; tracer/sequence.c). A callee makes its inputs, calls one function of the unit, and records the
   call; the objects that the calls work on lie in pools, one pool for each type. */
struct veer_callee {
    void (*run)(void);
    uint32_t pools; /* bit k: it takes an object of pool k that is alive */
    uint32_t spare;
};
struct veer_step {
    uint32_t first, count; /* one of the callees first .. first + count - 1 */
    uint32_t repeats;      /* 1: any number of times, each time another choice; 2: the same in rows of 1, 2, 4 or 8; 0: once */
    uint32_t spare;
};
/* Runs the steps in order, `most` calls at most; which calls are made is a CHOICE. */
void veer_sequence(const struct veer_callee *callees, const struct veer_step *steps, uint32_t step_count, uint32_t most);
void veer_called(uint32_t callee);                               /* a call begins: its number goes to the results */
void *veer_receiver(uint32_t pool, const char *name);            /* an object that is alive, a CHOICE where there are several */
void *veer_new_receiver(uint32_t pool, uint64_t size);           /* a new object of zeros */
void veer_made(uint32_t pool, const void *object);               /* a call returned this object */
void veer_replaced(uint32_t pool, const void *object);           /* a call returned what its receiver is from now on */
void veer_unset(void *object, uint64_t size);                    /* before a call that sets a new object up: nobody has written it */
void veer_set_up(void *object, uint64_t size);                   /* behind that call: zeros where it wrote some of it, else it stays unwritten */
void veer_ended(void);                                           /* behind a call that the object it was given first does not outlive */
/* Calls of the unit's functions before the entry (tracer/before.c): which of them are made is a CHOICE. `set_free`: makes variables of the
   unit inputs instead, or 0. Without the bounds that allow it nothing is called. */
void veer_before(void (*const *calls)(void), uint32_t count, void (*set_free)(void));
/* Registers of devices (libc/devices.c). Addresses of regions are pairs: begin, end. */
void veer_set_devices(const uint64_t *regions, uint32_t count, uint32_t reads);
/* Memory at a fixed address, which is the machine's of lifted code: `given` bytes of contents, zeros behind them. VEER_MAP_NAMES: addresses of
   functions of other files; code may go there, and no memory is there. */
enum { VEER_MAP_WRITABLE = 1, VEER_MAP_CODE = 2, VEER_MAP_NAMES = 4, VEER_MAP_STACK = 8 };
void veer_map(uint64_t address, uint64_t size, const void *contents, uint64_t given, uint32_t qualities, const char *name);
void veer_check_return(uint64_t at, uint64_t target, uint64_t back); /* where a lifted function returns, and where it was called */
void veer_heap_from(uint64_t address); /* before inputs are made: the heap begins there, and the machine has memory below */
/* The instruction at `at` goes on at `target`, which was not lifted: it is noted for the next build of the program, and the run ends. `mark`: the
   bit of a target that tells its instruction set, or 0. */
_Noreturn void veer_unknown_target(uint64_t at, uint64_t target, uint64_t mark);
void veer_reserve_regions(const uint64_t *regions, uint32_t count); /* no block of the unit's heap lies there */
/* The address, where a register lies there; else 0. `is_computed`: a number was cast to it, which is that of a register unless it starts
   from an object of the unit; then the mark is set. From VEER_PLAIN_BEGIN to VEER_PLAIN_END the plain build has its own memory (the executable
   is linked at 16 MiB, what malloc gives follows): a number from there is no register's in any build. */
#define VEER_COMPUTED_ADDRESS (1ull << 63)
uint64_t veer_device_at(const void *place, uint32_t is_computed);
/* The same for lifted code, whose addresses may be widened by their signs; called by libc/machine.h. */
uint64_t veer_machine_register(const void *place);
uint32_t veer_read_is_input(const char *root, uint32_t reads, uint32_t usual);
/* Interrupts (tracer/interrupts.c): from now on `routine` may be called at the first `places` volatile accesses, `most` times, each a CHOICE
   `root`; 0: not any more. Instrumented code calls veer_interrupt_point before such an access. */
void veer_set_interrupt(void (*routine)(void), const char *root, uint32_t most, uint32_t places);
void veer_interrupt_point(void);
/* What a stub writes behind a pointer: what nobody has written yet (stub_names.h says how the input is called). `type`: of one object there, or
   0; `element`: bytes of one of the numbers there where not just that object was never written, or 0; `stub`: as in "read_frame()"; `call`: how many there were before. */
void veer_stub_writes(void *place, uint32_t element, const struct veer_type *type, const char *stub, uint32_t argument, uint32_t call);
/* A call of a stub, for the expectations of tests: recorded runs only (a campaign's, a replay's). An argument lies at `place`; of a
   pointer that is looked at, at most `most` bytes behind it are kept. */
struct veer_argument {
    const void *place;
    uint32_t size;
    uint32_t most; /* 0: it is no pointer, or nobody looks behind it; VEER_IS_TEXT: up to its NUL */
};
#define VEER_IS_TEXT (1u << 31)
enum { VEER_MOST_CALLS_SEEN = 20, VEER_MOST_CALLS_COUNTED = 4096 }; /* of a run: with their arguments, and at all */
enum { VEER_MOST_MADE = 64 };                                        /* blocks that a run made and that are told */
enum { VEER_MOST_BEHIND = 256 };
void veer_stub_called(uint32_t stub, const struct veer_argument *arguments, uint32_t count);
/* Monitors of specifications: an event with the first of its numbers; the registers of a monitor behind an event (`seen` -1: it was seen if they
   have changed; with `count` of them, and how far each content of theirs is from a violation, or NULL); what must hold; a name has more values
   than are followed. */
void veer_specification_event(unsigned event, unsigned count, long first, long second, long third, long fourth);
void veer_specification_state(unsigned number, int seen, const unsigned char *registers, unsigned count, const unsigned char *distances);
void veer_specification_check(int holds, unsigned number, const char *name);
void veer_specification_full(void);

/* A specification that may heed an event. By what its registers hold: `idle`, whether the event changes nothing then (NULL: it always may);
   `distances`, how far it is from a violation (NULL: that is not known). */
struct veer_heed {
    const unsigned char *idle, *distances;
    unsigned short number, initial; /* what its registers hold at first */
    unsigned short always;          /* it sees the event, whatever its values are */
};

/* What its registers hold, where all bits are concrete, or there are so few that it can be told which are (IN_PART, tracer/specifications.h);
   IDLE where the event changes nothing; else, and in concrete runs, another number. TELLS: the run is recorded, and is to be told of the event. Nothing but the path decides which: a run must ask what was predicted of it. */
enum { VEER_SPECIFICATION_IDLE = 0xfffd, VEER_SPECIFICATION_TELLS = 1 << 16 };
unsigned veer_specification_at(const struct veer_heed *heed);

/* `veer compare`: calls one of two versions; the run comes here again for the other one (tracer/versions.c). */
void veer_call_version(void (*old_version)(void), void (*new_version)(void));
/* What a version has left there is compared with what the other one has. `kind`, `number`: enum veer_part. */
void veer_version_left(const void *place, const struct veer_type *type, uint32_t kind, uint32_t number);
/* Defined by the harness, instrumented: one run of the unit under test. */
void veer_main(void);
#endif
