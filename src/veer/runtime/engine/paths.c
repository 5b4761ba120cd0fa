/* Paths: what is kept of a run. A path's identity is its hash over source branch sides and choices; path_table is
   the set of the hashes seen (slot 0 holds the table's size; a size of 0 means "to be rebuilt from the records", those
   of forgotten paths included). Where memory ran short, identities were dropped: then a path is new if its run adds to
   the tree, for below what was forgotten there all paths are known. */
#include "paths.h"
#include "executes.h"
#include "hash.h"
#include "ledger.h"
#include "places.h"
#include "publish.h"
#include "veer_shared.h"
#include <string.h>

enum {
    BUG_TABLE = 1 << 15,
    WITNESSES = 8 /* reports kept of one bug */
};

/* A known bug: (outcome, site); of a specification its number is a part of the outcome. */
struct bug {
    uint32_t outcome, site, report, witnesses; /* report + 1; 0 = empty slot */
    uint64_t weight;
};

struct paths_state {
    uint32_t outcomes_seen; /* a bit for each outcome */
    struct bug bugs[BUG_TABLE];
};
ENGINE_STATE_FITS(paths);
#define KNOWN ENGINE_STATE(paths)

#define HASHES VEER_REGION(uint64_t, PATH_TABLE)
#define INTERESTING VEER_REGION(uint32_t, INTERESTING)

enum { HASH_TABLE_START = 1 << 12, FIRST_PATHS = 64 };

static uint64_t never_zero(uint64_t hash)
{
    return hash ? hash : 1;
}

/* Where the hash is or belongs. Slot 0 is not used. */
static uint64_t *hash_slot(uint64_t hash, uint64_t size)
{
    uint64_t slot = mix(hash, 0) & (size - 1);
    for (;; slot = (slot + 1) & (size - 1)) {
        if (slot && (HASHES[slot] == 0 || HASHES[slot] == hash))
            return &HASHES[slot];
    }
}

static void rebuild_hashes(uint64_t size)
{
    HASHES[0] = 0;
    memset(HASHES, 0, size * sizeof(uint64_t));
    for (uint32_t i = 0; i < VEER_CONTROL->path_count; i++) {
        if (VEER_PATHS[i].outcome != VEER_OUTCOME_ASSUMPTION)
            *hash_slot(never_zero(VEER_PATHS[i].hash), size) = never_zero(VEER_PATHS[i].hash);
    }
    for (uint32_t i = 0; i < VEER_CONTROL->forgotten_paths; i++) {
        uint64_t hash = never_zero(VEER_REGION(uint64_t, FORGOTTEN_PATHS)[i]);
        *hash_slot(hash, size) = hash;
    }
    __atomic_store_n(&HASHES[0], size, __ATOMIC_RELEASE);
}

/* Asks the memory for the place of the run's hash, which is nowhere near: it comes while the tree is compared. */
void veer_path_expect(void)
{
    uint64_t size = HASHES[0];
    if (size)
        __builtin_prefetch(&HASHES[mix(never_zero(VEER_CONTROL->current_hash), 0) & (size - 1)], 1);
}

static int is_known_hash(uint64_t hash)
{
    return *hash_slot(never_zero(hash), HASHES[0]) != 0;
}

/* How many the table holds, at most. Of a search by workers more are dropped than this memory ever held. */
static uint32_t held(void)
{
    const struct veer_control *control = VEER_CONTROL;
    return control->distinct_paths > control->dropped_paths ? control->distinct_paths - control->dropped_paths : 0;
}

static void add_hash(uint64_t hash)
{
    struct veer_control *control = VEER_CONTROL;
    if (held() + 2 >= HASHES[0]) { /* as large as it gets; one slot stays free */
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_PATHS);
        return;
    }
    *hash_slot(never_zero(hash), HASHES[0]) = never_zero(hash);
    control->distinct_paths++;
    if (held() > HASHES[0] / 2 && HASHES[0] * 2 <= VEER_PATH_TABLE_CAPACITY)
        rebuild_hashes(HASHES[0] * 2);
}

/* Smaller is a better witness: shorter, then fewer bytes that are not zero. */
static uint64_t weight(const uint8_t *input, uint32_t length)
{
    uint64_t filled = 0;
    for (uint32_t i = 0; i < length; i++)
        filled += input[i] != 0;
    return (uint64_t)length << 32 | filled;
}

/* What kind of bug it is: of specifications, each is one. */
static uint32_t kind_of(const struct veer_report *report)
{
    uint32_t is_specification = report->outcome == VEER_OUTCOME_VIOLATED;
    return is_specification ? report->outcome | (uint32_t)report->value << 8 : report->outcome;
}

/* The bug's entry, empty (report 0) if it is new; NULL = the table is full. */
static struct bug *find_bug(uint32_t outcome, uint32_t site)
{
    uint32_t slot = (uint32_t)mix(outcome, site) & (BUG_TABLE - 1);
    for (uint32_t tries = 0; tries < BUG_TABLE; tries++, slot = (slot + 1) & (BUG_TABLE - 1)) {
        struct bug *bug = &KNOWN->bugs[slot];
        if (bug->report == 0 || (bug->outcome == outcome && bug->site == site))
            return bug;
    }
    return NULL;
}

static void learn_bug(uint32_t report)
{
    const struct veer_report *record = &VEER_REPORTS[report];
    struct bug *bug = find_bug(kind_of(record), record->site);
    if (!bug || record->path >= VEER_CONTROL->path_count)
        return;
    const struct veer_path *path = &VEER_PATHS[record->path];
    *bug = (struct bug){kind_of(record), record->site, report + 1, bug->witnesses + 1,
                        weight(VEER_INPUTS + path->input_offset, path->input_length)};
}

/* Finds again what the campaign knows. */
void veer_paths_attach(void)
{
    struct veer_control *control = VEER_CONTROL;
    if (HASHES[0] == 0) {
        uint64_t size = HASH_TABLE_START;
        while (size > VEER_PATH_TABLE_CAPACITY)
            size /= 2;
        while (size / 2 < held() && size * 2 <= VEER_PATH_TABLE_CAPACITY)
            size *= 2;
        rebuild_hashes(size);
    }
    for (uint32_t i = 0; i < control->interesting_count; i++) {
        uint32_t path = INTERESTING[i];
        if (path < control->path_count && VEER_PATHS[path].outcome < 32)
            KNOWN->outcomes_seen |= 1u << VEER_PATHS[path].outcome;
    }
    for (uint32_t i = 0; i < control->report_count; i++)
        learn_bug(i);
}

int veer_is_new_bug(const struct veer_report *report)
{
    const struct bug *bug = find_bug(kind_of(report), report->site);
    return bug && bug->report == 0;
}

/* Whether the run's report is worth keeping: a new bug, or a smaller witness of one that has few. */
static int wants_report(const struct veer_report *report)
{
    struct veer_control *control = VEER_CONTROL;
    const struct bug *bug = find_bug(kind_of(report), report->site);
    if (!bug || control->report_count >= VEER_REPORTS_CAPACITY)
        return 0;
    if (bug->report == 0)
        return 1;
    return bug->witnesses < WITNESSES &&
           weight(VEER_INPUTS + control->input_bytes, control->current_length) < bug->weight;
}

/* The report's place if it is kept (published here), else that of the same bug's best witness, or NONE. */
static uint32_t keep_report(uint32_t path, uint32_t keeps)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t report = control->last_report;
    if (report == VEER_NONE || report >= VEER_REPORTS_CAPACITY)
        return VEER_NONE;
    struct veer_report *record = &VEER_REPORTS[report];
    struct bug *bug = find_bug(kind_of(record), record->site);
    if (!keeps)
        return bug && bug->report ? bug->report - 1 : VEER_NONE;
    record->path = path;
    record->run = control->runs;
    record->nanoseconds = veer_now() - control->start_nanoseconds;
    *bug = (struct bug){kind_of(record), record->site, report + 1, bug->witnesses + 1,
                        weight(VEER_INPUTS + control->input_bytes, control->current_length)};
    PUBLISH(control->report_count, report + 1);
    return report;
}

/* What is new about the run that ended with `outcome`, apart from the tree. */
static uint32_t novelty(uint32_t outcome, uint32_t adds)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t flags = veer_take_new_edges() > 0 ? VEER_PATHFLAG_NEW_EDGE : 0;
    int is_among_dropped = control->dropped_paths && !adds;
    if (outcome != VEER_OUTCOME_ASSUMPTION && !is_among_dropped && !is_known_hash(control->current_hash))
        flags |= VEER_PATHFLAG_NEW_PATH;
    if (outcome < 32 && !(KNOWN->outcomes_seen >> outcome & 1))
        flags |= VEER_PATHFLAG_NEW_OUTCOME;
    if (control->last_report == control->report_count && wants_report(&VEER_REPORTS[control->report_count]))
        flags |= VEER_PATHFLAG_NEW_BUG;
    return flags;
}

static void note_interesting(uint32_t path, uint32_t flags)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t always =
        VEER_PATHFLAG_NEW_EDGE | VEER_PATHFLAG_NEW_BUG | VEER_PATHFLAG_NEW_OUTCOME | VEER_PATHFLAG_DIVERGED;
    if (!(flags & always) && !((flags & VEER_PATHFLAG_NEW_PATH) && control->distinct_paths <= FIRST_PATHS))
        return;
    if (control->interesting_count == VEER_INTERESTING_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_INTERESTING);
        return;
    }
    INTERESTING[control->interesting_count] = path;
    PUBLISH(control->interesting_count, control->interesting_count + 1);
}

/* Stores the run that just ended, if it is anything new (`adds`: to the tree; `flags`: DIVERGED or 0) or asked for. Its node is
   given by path_finish once the tree has it. Returns the path's id, NONE if it was not stored. The caller has checked
   tree_room. */
uint32_t veer_path_begin(uint32_t outcome, uint32_t adds, uint32_t flags)
{
    struct veer_control *control = VEER_CONTROL;
    flags |= novelty(outcome, adds);
    control->last_path = VEER_NONE;
    if (!adds && !flags && !control->keeps)
        return VEER_NONE;
    uint32_t id = control->path_count;
    struct veer_path *path = &VEER_PATHS[id];
    *path = (struct veer_path){control->current_hash,
                               control->input_bytes,
                               control->current_length,
                               VEER_NONE,
                               VEER_NONE,
                               (uint8_t)outcome,
                               (uint8_t)flags,
                               0};
    path->report = keep_report(id, flags & VEER_PATHFLAG_NEW_BUG);
    PUBLISH(control->input_bytes, control->input_bytes + control->current_length);
    PUBLISH(control->path_count, id + 1);
    if (flags & VEER_PATHFLAG_NEW_PATH)
        add_hash(control->current_hash);
    if (outcome < 32)
        KNOWN->outcomes_seen |= 1u << outcome;
    control->last_path = id;
    return id;
}

/* The path's last node; `flags` that only the merge found are added. */
void veer_path_finish(uint32_t path, uint32_t node, uint32_t flags)
{
    VEER_PATHS[path].node = node;
    VEER_PATHS[path].flags |= (uint8_t)flags;
    note_interesting(path, VEER_PATHS[path].flags);
}
