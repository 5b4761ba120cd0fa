/* The execution tree: runs are merged into it, from the root or below a node that the run is known to have reached.

   Walking reads only; then the path is stored; then sides are appended and published, and linked to their parent last.
   A process that dies in between leaves at most sides that nobody links to. */
#include "tree.h"
#include "blocks.h"
#include "ledger.h"
#include "linear_form.h"
#include "node.h"
#include "paths.h"
#include "publish.h"
#include "trail.h"
#include "tree_columns.h"
#include "veer_shared.h"

/* How far a run follows what the tree knows. */
struct walk {
    uint32_t node, position; /* the last known node, and the first event behind it */
    uint32_t changes;        /* a side that no run had taken before, or a choice that grew */
    uint32_t is_diverged;    /* the decision at `position` is not the one that the tree has there */
    uint32_t is_forgotten;   /* all below `node` was finished, and is not there any more */
};

void veer_tree_attach(void)
{
    struct veer_control *control = VEER_CONTROL;
    if (control->tree_count)
        return;
    TREE_PARENT[0] = VEER_NONE;
    TREE_CHILD[0] = TREE_SIBLING[0] = TREE_LITERAL[0] = TREE_CONTEXT[0] = TREE_DEPTH[0] = 0;
    TREE_SITE[0] = VEER_NONE;
    TREE_PATH[0] = VEER_NONE;
    TREE_STATE[0] = VEER_STATE_TAKEN;
    PUBLISH(control->tree_count, 1);
}

/* Whether one more run, with an input of that length, can be recorded. The tracer stops a run whose input outgrows the
   rest. */
int veer_tree_room(uint32_t input_length)
{
    const struct veer_control *control = VEER_CONTROL;
    uint32_t full = 0;
    uint32_t longest = control->leaf_bytes > input_length ? control->leaf_bytes : input_length;
    if (control->tree_count + 2 > VEER_TREE_PARENT_CAPACITY)
        full = VEER_TABLE_NODES;
    if (control->path_count >= VEER_PATHS_CAPACITY)
        full = VEER_TABLE_PATHS;
    if (control->input_bytes + longest > VEER_INPUTS_CAPACITY)
        full = VEER_TABLE_INPUTS;
    if (full)
        veer_note_loss(VEER_LOSS_CAPACITY, full);
    return !full;
}

/* Cuts the trace at the first event that makes no sense: a process that died may have left anything behind. */
void veer_tree_trim_trace(void)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t count = control->trace_count < VEER_TRACE_CAPACITY ? control->trace_count : VEER_TRACE_CAPACITY;
    for (uint32_t i = 0; i < count; i++) {
        const struct veer_event *event = &VEER_TRACE[i];
        uint32_t is_choice = event->kind == VEER_KIND_CHOICE, first = is_choice ? 0 : VEER_FIRST_EXPRESSION;
        uint32_t end = is_choice ? control->leaf_count : control->node_count;
        if (event->kind < VEER_KIND_BRANCH || event->kind > VEER_KIND_ASSUME || event->literal < first ||
            event->literal >= end || event->alternative > (is_choice ? 0xfffeu : 1u))
            count = i;
    }
    control->trace_count = count;
}

static int is_same_decision(uint32_t node, const struct veer_event *event)
{
    return TREE_LITERAL[node] == event->literal && TREE_SITE[node] == event->site && TREE_KIND[node] == event->kind;
}

/* How many sides the event's decision has. */
static uint32_t sides_of(const struct veer_event *event)
{
    if (event->kind != VEER_KIND_CHOICE)
        return 2;
    return event->alternatives > event->alternative ? event->alternatives : event->alternative + 1;
}

/* The side of a decision, 0 = there is none; *last is its last side, *count how many it has. */
static uint32_t find_side(uint32_t first, uint32_t alternative, uint32_t *last, uint32_t *count)
{
    uint32_t found = 0;
    *count = 0;
    for (uint32_t side = first; side; side = TREE_SIBLING[side]) {
        if (TREE_ALTERNATIVE[side] == alternative)
            found = side;
        *last = side;
        ++*count;
    }
    return found;
}

/* One step along a known decision; 0 = the walk ends here. */
static int step(struct walk *walk, const struct veer_event *event)
{
    uint32_t first = TREE_CHILD[walk->node], last, count;
    if (!first)
        return 0;
    if (first == VEER_NONE) {
        walk->is_forgotten = 1;
        return 0;
    }
    if (!is_same_decision(first, event)) {
        walk->is_diverged = 1;
        return 0;
    }
    uint32_t side = find_side(first, event->alternative, &last, &count);
    if (sides_of(event) > count)
        walk->changes = 1;
    if (!side)
        return 0;
    if (TREE_STATE[side] != VEER_STATE_TAKEN)
        walk->changes = 1;
    walk->node = side;
    walk->position++;
    return 1;
}

/* How many values of this symbolic address the decisions above have turned down. */
static uint32_t values_refused(uint32_t node, const struct veer_event *event)
{
    const struct veer_control *control = VEER_CONTROL;
    uint32_t term = node_of(event->literal)->a, refused = 0, limit = 64 + 4 * control->guard_siblings;
    for (; node && limit--; node = TREE_PARENT[node]) {
        if (TREE_KIND[node] != VEER_KIND_GUARD || TREE_ALTERNATIVE[node] != 0)
            continue;
        const struct veer_node *literal = node_of(TREE_LITERAL[node]);
        if (TREE_SITE[node] == event->site && TREE_CONTEXT[node] == event->context && literal->op == VEER_OP_EQ &&
            literal->a == term)
            refused++;
    }
    return refused;
}

/* The state of a side that the run did not take. */
static uint32_t untaken_state(uint32_t parent, uint32_t depth, const struct veer_event *event, uint32_t alternative)
{
    const struct veer_control *control = VEER_CONTROL;
    if (event->kind == VEER_KIND_ASSUME && alternative == 0)
        return VEER_STATE_ASSUMED;
    if (event->kind == VEER_KIND_CHOICE && alternative < 2 && (event->flags >> alternative & 1))
        return VEER_STATE_CUT;
    if (event->kind != VEER_KIND_CHOICE && event->flags & VEER_EVENTFLAG_SETTLED)
        return VEER_STATE_INFEASIBLE;
    if (control->max_depth && depth > control->max_depth)
        return VEER_STATE_CUT;
    if (event->kind == VEER_KIND_GUARD && alternative == 0 && control->guard_siblings &&
        node_of(event->literal)->op == VEER_OP_EQ && values_refused(parent, event) + 1 >= control->guard_siblings) {
        veer_note_loss(VEER_LOSS_ADDRESS, event->site);
        return VEER_STATE_CUT;
    }
    return veer_blocks_state(event->literal, event->kind);
}

static void write_side(uint32_t id, uint32_t parent, const struct veer_event *event, uint32_t alternative,
                       uint32_t path)
{
    uint32_t depth = TREE_DEPTH[parent] + 1;
    TREE_PARENT[id] = parent;
    TREE_CHILD[id] = TREE_SIBLING[id] = 0;
    TREE_LITERAL[id] = event->literal;
    TREE_SITE[id] = event->site;
    TREE_CONTEXT[id] = event->context;
    TREE_PATH[id] = path;
    TREE_DEPTH[id] = depth;
    TREE_ALTERNATIVE[id] = (uint16_t)alternative;
    TREE_KIND[id] = event->kind;
    TREE_WATCHED[id] = (uint16_t)event->watched;
    TREE_STATE[id] = (uint8_t)(alternative == event->alternative ? VEER_STATE_TAKEN
                                                                 : untaken_state(parent, depth, event, alternative));
}

static void count_edge(uint32_t site, uint32_t alternative)
{
    uint64_t edge = 2 * (uint64_t)site + (alternative ? 1 : 0);
    if (edge < VEER_EDGE_TAKEN_CAPACITY)
        VEER_REGION(uint32_t, EDGE_TAKEN)[edge]++;
}

static void take(uint32_t node)
{
    if (TREE_STATE[node] == VEER_STATE_TAKEN)
        return;
    TREE_STATE[node] = VEER_STATE_TAKEN;
    count_edge(TREE_SITE[node], TREE_ALTERNATIVE[node]);
}

/* Appends the decisions from walk->position on below walk->node. Returns the last node; *full if not all fitted. */
static uint32_t append_suffix(const struct walk *walk, uint32_t events, uint32_t path, uint32_t *full)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t node = walk->node, next = control->tree_count, first = next;
    for (uint32_t i = walk->position; i < events; i++) {
        const struct veer_event *event = &VEER_TRACE[i];
        uint32_t sides = sides_of(event), base = next;
        if (base + sides > VEER_TREE_PARENT_CAPACITY) {
            veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_NODES);
            *full = 1;
            break;
        }
        for (uint32_t side = 0; side < sides; side++) {
            write_side(base + side, node, event, side, path);
            TREE_SIBLING[base + side] = side + 1 < sides ? base + side + 1 : 0;
        }
        if (node != walk->node)
            TREE_CHILD[node] = base;
        node = base + event->alternative;
        count_edge(event->site, event->alternative);
        next += sides;
    }
    PUBLISH(control->tree_count, next);
    veer_blocks_file(first, next);
    if (next != first)
        __atomic_store_n(&TREE_CHILD[walk->node], first, __ATOMIC_RELEASE);
    return node;
}

/* Appends the alternatives of a choice that no earlier run had. */
static void grow_choice(uint32_t parent, const struct veer_event *event, uint32_t path, uint32_t *full)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t last = 0, count, sides = sides_of(event), base = control->tree_count;
    find_side(TREE_CHILD[parent], event->alternative, &last, &count);
    if (sides <= count)
        return;
    if (base + (sides - count) > VEER_TREE_PARENT_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_NODES);
        *full = 1;
        return;
    }
    for (uint32_t side = count; side < sides; side++) {
        uint32_t id = base + side - count;
        write_side(id, parent, event, side, path);
        if (side == event->alternative)
            count_edge(event->site, side);
        TREE_SIBLING[id] = side + 1 < sides ? id + 1 : 0;
    }
    PUBLISH(control->tree_count, base + (sides - count));
    veer_blocks_file(base, base + (sides - count));
    __atomic_store_n(&TREE_SIBLING[last], base, __ATOMIC_RELEASE);
}

/* Takes the sides from `last` up to, and without, `node`. */
static void take_between(uint32_t node, uint32_t last)
{
    for (; last != node; last = TREE_PARENT[last])
        take(last);
}

/* Walks once more, grows and appends, and takes only then: of a process that dies in between, the target is still open,
   and whoever works on it again loses nothing of what lies below. Returns the run's last node. */
static uint32_t merge(uint32_t node, uint32_t position, uint32_t events, uint32_t path, uint32_t *full)
{
    struct walk walk = {node, position, 0, 0, 0};
    while (walk.position < events) {
        const struct veer_event *event = &VEER_TRACE[walk.position];
        uint32_t first = TREE_CHILD[walk.node];
        if (first && first != VEER_NONE && event->kind == VEER_KIND_CHOICE && is_same_decision(first, event))
            grow_choice(walk.node, event, path, full);
        if (!step(&walk, event))
            break;
    }
    uint32_t last = walk.is_diverged || walk.is_forgotten || *full ? walk.node : append_suffix(&walk, events, path, full);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    take_between(node, walk.node);
    return last;
}

/* Whether the run took the trail's decisions and then the target's side. The trail stands at the target's parent. */
static int reaches(uint32_t target, uint32_t events)
{
    const struct trail_state *trail = TRAIL;
    const struct veer_event *trace = VEER_TRACE;
    if (events <= trail->depth)
        return 0;
    for (uint32_t i = 0; i < trail->depth; i++) {
        const struct frame *frame = &trail->frames[i + 1];
        if (frame->literal != trace[i].literal || frame->site != trace[i].site ||
            frame->key != ((uint32_t)trace[i].kind << 16 | trace[i].alternative))
            return 0;
    }
    const struct veer_event *last = &trace[trail->depth];
    return is_same_decision(target, last) && TREE_ALTERNATIVE[target] == last->alternative;
}

static void note_divergence(uint32_t site)
{
    VEER_CONTROL->diverged++;
    veer_note_loss(VEER_LOSS_DIVERGENCE, site);
}

/* Records the run that just ended (its trace, input, hash and report are in the shared memory). `target`: the node that
   it aimed at, the trail standing at its parent, or NONE. Returns 0 if a table is full. */
int veer_tree_record(uint32_t target, uint32_t outcome)
{
    uint32_t events = VEER_CONTROL->compositional ? 0 : VEER_CONTROL->trace_count; /* Python keeps the decisions then */
    uint32_t node = 0, position = 0, flags = 0, full = 0;
    if (target != VEER_NONE) {
        if (reaches(target, events)) {
            node = target;
            position = TRAIL->depth + 1;
        } else {
            TREE_STATE[target] = VEER_STATE_DIVERGED;
            note_divergence(TREE_SITE[target]);
            flags = VEER_PATHFLAG_DIVERGED;
        }
    }
    struct walk walk = {node, position, 0, 0, 0};
    while (walk.position < events && step(&walk, &VEER_TRACE[walk.position]))
        ;
    if (walk.is_diverged) {
        if (!flags)
            note_divergence(VEER_TRACE[walk.position].site);
        flags = VEER_PATHFLAG_DIVERGED;
    }
    uint32_t adds =
        walk.changes || (node && TREE_STATE[node] != VEER_STATE_TAKEN) || (!walk.is_diverged && !walk.is_forgotten && walk.position < events);
    uint32_t path = veer_path_begin(outcome, adds, flags);
    if (path == VEER_NONE)
        return 1;
    veer_blocks_note(path);
    if (TREE_PATH[0] == VEER_NONE)
        TREE_PATH[0] = path;
    if (node)
        TREE_PATH[node] = path;
    uint32_t last = merge(node, position, events, path, &full);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (node)
        take(node);
    veer_path_finish(path, last, 0);
    return !full;
}
