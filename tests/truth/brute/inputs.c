/* Inputs: cells that are decided by a choice (all inputs) or by what stdin says (replay).

   Scalars of roots are decided at once; the cells of an object that a pointer reaches are decided when they are first
   loaded, so that a graph is enumerated only as far as the program looks at it. */
#include "brute.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 1 << 14, MAX_FRESH = 1 << 12, MAX_GIVEN = 1 << 16, MAX_LABEL = 64, MAX_ROOTS = 1024, MAX_WITNESS = 1 << 14 };

/* An object that a pointer reached. */
static struct fresh {
    const struct bf_type *type;
    char *base;
    uint32_t depth;
    int64_t number; /* replay: the number that stdin calls it */
    uint64_t identity;
    uint32_t is_followed;
} fresh[MAX_FRESH];
static uint32_t fresh_count;

/* A cell that waits for its first load. */
static struct pending {
    char *address;
    const struct bf_cell *cell;
    uint64_t identity; /* of the object that holds it */
    uint32_t depth;
    char label[MAX_LABEL];
} pending[MAX_CELLS];
static uint32_t pending_count;

/* A value that stdin gave. */
static struct given {
    char label[MAX_LABEL];
    uint32_t offset;
    char kind; /* L a scalar, P a pointer */
    int64_t value;
} given[MAX_GIVEN];
static uint32_t given_count;

static struct {
    const char *name;
    int64_t value;
    uint32_t count;
} roots[MAX_ROOTS];
static uint32_t root_count;

static char witness[MAX_WITNESS];
static uint32_t witness_length;
uint32_t bf_undecided;

void bf_inputs_reset(void) {
    fresh_count = pending_count = root_count = witness_length = bf_undecided = 0;
    witness[0] = 0;
}

void bf_witness_print(void) {
    printf("%s", witness);
}

/* The witness is in the replay's format, with commas. */
static void note(char kind, const char *label, uint32_t offset, int64_t value) {
    if (!bf_replaying && witness_length + MAX_LABEL + 48 < MAX_WITNESS)
        witness_length += (uint32_t)sprintf(witness + witness_length, " %c,%s,%u,%lld", kind, label, offset, (long long)value);
}

static const struct given *lookup(const char *label, uint32_t offset, char kind) {
    for (uint32_t i = 0; i < given_count; i++)
        if (given[i].offset == offset && given[i].kind == kind && !strcmp(given[i].label, label))
            return &given[i];
    bf_undecided++;
    return NULL;
}

/* Whether stdin says that something is there. */
static int is_given(const char *label, uint32_t offset) {
    for (uint32_t i = 0; i < given_count; i++)
        if (given[i].offset == offset && !strcmp(given[i].label, label))
            return 1;
    return 0;
}

static int64_t nth_value(const struct bf_domain *domain, uint64_t index) {
    for (uint32_t i = 0; i < domain->count; i++) {
        uint64_t size = (uint64_t)(domain->ranges[i][1] - domain->ranges[i][0]) + 1;
        if (index < size)
            return domain->ranges[i][0] + (int64_t)index;
        index -= size;
    }
    abort();
}

static uint32_t domain_size(const struct bf_domain *domain) {
    uint32_t size = 0;
    for (uint32_t i = 0; i < domain->count; i++)
        size += (uint32_t)(domain->ranges[i][1] - domain->ranges[i][0]) + 1;
    return size;
}

static int64_t decide_scalar(char *address, const struct bf_cell *cell, const char *label, uint32_t offset) {
    const struct given *from = bf_replaying ? lookup(label, offset, 'L') : NULL;
    int64_t value = from ? from->value : bf_replaying ? 0 : nth_value(cell->domain, bf_choose(domain_size(cell->domain)));
    memcpy(address, &value, cell->width);
    note('L', label, offset, value);
    return value;
}

static uint64_t mix(uint64_t a, uint64_t b) {
    a = (a ^ b) * 0xbf58476d1ce4e5b9ull;
    return a ^ a >> 31;
}

static uint64_t text_identity(const char *text, uint32_t occurrence) {
    uint64_t identity = occurrence + 1;
    for (; *text; text++)
        identity = mix(identity, (unsigned char)*text);
    return identity;
}

static void wait_for_load(char *base, const struct bf_type *type, const char *label, uint64_t identity, uint32_t depth, uint32_t offset) {
    for (uint32_t i = 0; i < type->count; i++) {
        struct pending *new = &pending[pending_count++];
        if (pending_count == MAX_CELLS)
            abort();
        new->address = base + offset + type->cells[i].offset;
        new->cell = &type->cells[i];
        new->identity = mix(identity, offset + type->cells[i].offset);
        new->depth = depth;
        snprintf(new->label, MAX_LABEL, "%s", label);
    }
}

/* The offset of a pending cell within its object, for its name. */
static uint32_t offset_of(const struct pending *cell) {
    for (uint32_t i = fresh_count; i-- > 0;)
        if (cell->address >= fresh[i].base && cell->address < fresh[i].base + bf_object_size(fresh[i].base))
            return (uint32_t)(cell->address - fresh[i].base);
    return cell->cell->offset;
}

/* A string's characters: chosen one by one; it ends behind its first NUL. */
static char *make_string(const struct bf_target *target, const char *label) {
    char text[256];
    uint32_t length = 0;
    while (length < target->maximum) {
        const struct bf_domain *domain = target->type->cells[0].domain;
        int64_t value;
        if (bf_replaying) {
            const struct given *from = lookup(label, length, 'L');
            if (!from)
                bf_undecided--; /* characters behind the NUL are not given */
            value = from ? from->value : 0;
        } else {
            uint32_t index = bf_choose(domain_size(domain) + 1);
            value = index ? nth_value(domain, index - 1) : 0;
        }
        note('L', label, length, value);
        if (!value)
            break;
        text[length++] = (char)value;
    }
    text[length] = 0;
    return memcpy(bf_new_object(length + 1), text, length + 1);
}

static int64_t root_value(const char *name) {
    for (uint32_t i = root_count; i-- > 0;)
        if (!strcmp(roots[i].name, name))
            return roots[i].value;
    fprintf(stderr, "brute force: no root %s was made before\n", name);
    exit(3);
}

static char *make_target(const struct bf_target *target, const char *label, uint64_t identity, uint32_t depth) {
    uint32_t elements = 1;
    char *base;
    if (target->extent == BF_STRING)
        return make_string(target, label);
    if (target->extent == BF_LENGTH) {
        int64_t length = root_value(target->length);
        elements = length < 0 ? 0 : length > target->maximum ? target->maximum : (uint32_t)length;
    }
    if (target->extent == BF_COUNT) {
        if (!bf_replaying)
            elements = 1 + bf_choose(target->maximum);
        for (uint32_t k = 1; bf_replaying && k < target->maximum; k++)
            if (is_given(label, k * target->type->size))
                elements = k + 1;
        note('N', label, (elements - 1) * target->type->size, 0); /* the last one exists, looked at or not */
    }
    base = bf_new_object((uint64_t)elements * target->type->size);
    for (uint32_t i = 0; i < elements; i++)
        wait_for_load(base, target->type, label, identity, depth, i * target->type->size);
    return base;
}

/* The unit follows a pointer to that object: part of the path. How often a library function does so is not: `is_again` counts. */
void bf_follow(const char *base, uint32_t is_again) {
    for (uint32_t i = 0; i < fresh_count; i++) {
        if (fresh[i].base != base || (fresh[i].is_followed && !is_again))
            continue;
        fresh[i].is_followed = 1;
        bf_mix_graph(fresh[i].identity | 1);
    }
}

/* NULL or the stub, which is no object: 0 in a replay. */
static void decide_function(char *address, const struct bf_target *target, const char *label, uint32_t offset, uint64_t identity) {
    const struct given *from = bf_replaying ? lookup(label, offset, 'P') : NULL;
    uint32_t is_stub = bf_replaying ? from && from->value >= 0 : bf_choose(2);
    void (*value)(void) = is_stub ? target->stub : NULL;
    bf_mix_graph(mix(identity, is_stub) | 1);
    note('P', label, offset, is_stub ? 0 : -1);
    memcpy(address, &value, sizeof value);
}

/* NULL, fresh or an alias: the alternatives that exist now, and the one taken. Part of the path where the length of what it leads to is
   an input, too; else the path has what the unit follows. */
static void decide_pointer(char *address, const struct bf_target *target, const char *label, uint32_t offset, uint64_t identity, uint32_t depth) {
    uint32_t same[MAX_FRESH], aliases = 0, alternative = 0;
    char *value = NULL;
    int64_t number = 0;
    if (target->extent == BF_STUB) {
        decide_function(address, target, label, offset, identity);
        return;
    }
    for (uint32_t i = 0; i < fresh_count; i++)
        if (!strcmp(fresh[i].type->name, target->type->name))
            same[aliases++] = i;
    if (bf_replaying) {
        const struct given *from = lookup(label, offset, 'P');
        number = from ? from->value : -1;
        alternative = number < 0 ? 0 : 1;
        for (uint32_t k = 0; number >= 0 && k < aliases; k++)
            if (fresh[same[k]].number == number)
                alternative = 2 + k;
    } else {
        uint32_t has_null = target->nullable, has_fresh = depth < bf_graph_depth, pick;
        pick = bf_choose(has_null + has_fresh + aliases);
        alternative = pick < has_null ? 0 : pick < has_null + has_fresh ? 1 : 2 + pick - has_null - has_fresh;
        number = alternative == 1 ? (int64_t)fresh_count + 1 : alternative ? (int64_t)same[alternative - 2] + 1 : -1;
    }
    if (target->extent != BF_ONE && target->extent != BF_COUNT)
        bf_mix_graph(mix(identity, alternative) | 1);
    note('P', label, offset, alternative ? number : -1);
    if (alternative == 1) {
        char own[MAX_LABEL];
        uint32_t index = fresh_count++;
        snprintf(own, sizeof own, "@%lld", (long long)number);
        value = make_target(target, own, mix(identity, 1), depth + 1);
        fresh[index].type = target->type;
        fresh[index].base = value;
        fresh[index].identity = mix(identity, 1);
        fresh[index].is_followed = 0;
        fresh[index].depth = depth + 1;
        fresh[index].number = number;
    } else if (alternative > 1) {
        value = fresh[same[alternative - 2]].base;
    }
    memcpy(address, &value, sizeof value);
}

static void decide(struct pending *cell) {
    struct pending copy = *cell;
    uint32_t offset = offset_of(cell);
    *cell = pending[--pending_count];
    if (copy.cell->target)
        decide_pointer(copy.address, copy.cell->target, copy.label, offset, copy.identity, copy.depth);
    else
        decide_scalar(copy.address, copy.cell, copy.label, offset);
}

/* Called for each access: cells that are read are decided, cells that are overwritten need no decision any more. */
void bf_decide(const char *address, uint64_t size, uint32_t is_store) {
    for (uint32_t i = 0; i < pending_count;) {
        struct pending *cell = &pending[i];
        int overlaps = cell->address < address + size && cell->address + cell->cell->width > address;
        int is_covered = cell->address >= address && cell->address + cell->cell->width <= address + size;
        if (overlaps && is_store && is_covered)
            *cell = pending[--pending_count];
        else if (overlaps) {
            decide(cell);
            i = 0; /* the new object's cells came behind */
        } else
            i++;
    }
}

static uint32_t register_root(const char *name) {
    uint32_t occurrence = 0;
    for (uint32_t i = 0; i < root_count; i++)
        occurrence += !strcmp(roots[i].name, name);
    if (root_count == MAX_ROOTS)
        bf_end(BF_HANG);
    roots[root_count].name = name;
    roots[root_count++].value = 0;
    return occurrence;
}

void bf_make(void *object, const struct bf_type *type, const char *name) {
    char label[MAX_LABEL];
    uint32_t occurrence = register_root(name), own = root_count - 1;
    uint64_t identity = text_identity(name, occurrence);
    snprintf(label, sizeof label, "%s#%u", name, occurrence);
    for (uint32_t i = 0; i < type->count; i++) {
        const struct bf_cell *cell = &type->cells[i];
        char *address = (char *)object + cell->offset;
        if (cell->target)
            decide_pointer(address, cell->target, label, cell->offset, mix(identity, cell->offset), 0);
        else {
            int64_t value = decide_scalar(address, cell, label, cell->offset);
            if (cell->offset == 0)
                roots[own].value = value;
        }
    }
}

void bf_make_named(void *object, uint64_t size, const char *name) {
    for (uint32_t i = 0; i < bf_root_count; i++)
        if (!strcmp(bf_roots[i].name, name)) {
            if (bf_roots[i].type->size != size) {
                fprintf(stderr, "brute force: root %s has another size\n", name);
                exit(3);
            }
            bf_make(object, bf_roots[i].type, bf_roots[i].name);
            return;
        }
    fprintf(stderr, "brute force: the header describes no input %s\n", name);
    exit(3);
}

/* Lines `L label offset value`, `P label offset object`; a line `.` ends a case. */
int bf_replay_read(void) {
    char line[256];
    given_count = 0;
    while (fgets(line, sizeof line, stdin)) {
        struct given *new = &given[given_count];
        long long value;
        if (line[0] == '.')
            return 1;
        if (given_count + 1 < MAX_GIVEN && sscanf(line, "%c %63s %u %lld", &new->kind, new->label, &new->offset, &value) == 4) {
            new->value = value;
            given_count++;
        }
    }
    return 0;
}
