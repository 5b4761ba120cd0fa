/* The commands: run, expand, follow, dfs, rescan. Arguments and answers lie in the control block. */
#include "expand.h"
#include "current.h"
#include "evaluate.h"
#include "executes.h"
#include "ladder.h"
#include "ledger.h"
#include "paths.h"
#include "places.h"
#include "publish.h"
#include "trail.h"
#include "tree.h"
#include "tree_columns.h"
#include "veer_shared.h"
#include "verdict.h"
#include <string.h>

enum { REPEATED_INPUT = 4 << 20 };

struct expansion_state {
    uint8_t set_aside[REPEATED_INPUT]; /* stored inputs whose place a run in a full campaign takes */
    uint32_t search[VEER_TREE_PARENT_CAPACITY]; /* open nodes of a native depth-first search */
};
ENGINE_STATE_FITS(expansion);
#define EXPANSION ENGINE_STATE(expansion)

#define QUEUE VEER_REGION(uint32_t, QUEUE)
#define INBOX VEER_REGION(uint8_t, INBOX)
#define PROBE 2u /* in control.record */

static void load_inbox(void)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t length = control->inbox_length < VEER_INBOX_CAPACITY ? control->inbox_length : VEER_INBOX_CAPACITY;
    memcpy(current_input(), INBOX, length);
    control->current_length = length;
}

/* Keeps what a run of the flow build showed of its path: what decided its end, and which facts it knew when it began. */
static void keep_flows(uint32_t path, uint64_t known)
{
    if (!VEER_CONTROL->partitioned || path == VEER_NONE)
        return;
    VEER_REGION(uint32_t, PATH_FLOWS)[path] = VEER_CONTROL->flow_end;
    VEER_REGION(uint32_t, PATH_KNEW)[path] = (uint32_t)known;
}

enum veer_reply veer_run_and_record(uint32_t target, uint64_t start)
{
    struct veer_control *control = VEER_CONTROL;
    uint64_t known = control->flow_changes;
    control->last_report = VEER_NONE;
    control->current_node = target;
    int renew = veer_execute();
    veer_path_expect();
    control->execute_nanoseconds += veer_now() - start;
    if (control->is_given_up) {
        control->current_node = VEER_NONE;
        return renew ? VEER_REPLY_RESTART : VEER_REPLY_DONE;
    }
    control->runs++;
    int fits = veer_tree_record(target, control->last_outcome);
    control->current_node = VEER_NONE;
    keep_flows(control->last_path, known);
    if (!fits)
        return VEER_REPLY_FULL;
    return renew ? VEER_REPLY_RESTART : VEER_REPLY_DONE;
}

/* Runs the paths in ids once more, for their flows alone: nothing of it goes into the tree. */
enum veer_reply veer_command_again(void)
{
    struct veer_control *control = VEER_CONTROL;
    veer_trail_pop(0);
    uint32_t count = control->id_count < VEER_IDS_CAPACITY ? control->id_count : VEER_IDS_CAPACITY;
    for (control->ids_done = 0; control->ids_done < count && !wants_stop();) {
        uint32_t path = VEER_IDS[control->ids_done] < control->path_count ? VEER_IDS[control->ids_done] : 0;
        const struct veer_path *record = &VEER_PATHS[path];
        if (!veer_tree_room(record->input_length))
            return VEER_REPLY_FULL;
        memcpy(current_input(), VEER_INPUTS + record->input_offset, record->input_length);
        control->current_length = record->input_length;
        control->last_report = control->last_path = VEER_NONE;
        uint64_t start = veer_now(), known = control->flow_changes;
        int renew = veer_execute();
        control->execute_nanoseconds += veer_now() - start;
        keep_flows(path, known);
        veer_drop_new_edges();
        control->ids_done++;
        if (renew)
            return VEER_REPLY_RESTART;
    }
    return VEER_REPLY_DONE;
}

/* Hands a node to smt. */
static void enqueue(uint32_t node)
{
    struct veer_control *control = VEER_CONTROL;
    if (control->queue_count == VEER_QUEUE_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_QUEUE);
        TREE_STATE[node] = VEER_STATE_UNKNOWN;
        return;
    }
    TREE_STATE[node] = VEER_STATE_QUEUED;
    QUEUE[control->queue_count] = node;
    control->left_to_smt++;
    PUBLISH(control->queue_count, control->queue_count + 1);
}

/* The parent's input with another alternative of a pointer: needs no solver. */
static enum verdict solve_choice(uint32_t node, const uint8_t *parent, uint32_t parent_length, uint8_t *input,
                                 uint32_t *length)
{
    uint32_t leaf = TREE_LITERAL[node], end = VEER_LEAVES[leaf].input_offset + (VEER_LEAVES[leaf].width + 7u) / 8u;
    struct veer_rung *rung = &VEER_CONTROL->rungs[VEER_RUNG_CHOICE];
    memcpy(input, parent, parent_length);
    if (end > parent_length)
        memset(input + parent_length, 0, end - parent_length);
    *length = end > parent_length ? end : parent_length;
    veer_set_leaf(leaf, TREE_ALTERNATIVE[node], input);
    rung->asked++;
    rung->sat++;
    return VERDICT_SAT;
}

/* Moves the trail to the node's parent and asks for an input that goes there. Leaves the time in LADDER->clock. */
static enum verdict solve(uint32_t node)
{
    struct veer_control *control = VEER_CONTROL;
    uint64_t start = veer_now();
    const struct veer_path *path = &VEER_PATHS[TREE_PATH[node]];
    const uint8_t *parent = VEER_INPUTS + path->input_offset;
    enum verdict verdict;
    veer_trail_seek(TREE_PARENT[node]);
    LADDER->clock = veer_now();
    if (TREE_KIND[node] == VEER_KIND_CHOICE)
        verdict = solve_choice(node, parent, path->input_length, current_input(), &control->current_length);
    else if (control->switched_off & VEER_SWITCH_LADDER)
        verdict = VERDICT_UNKNOWN;
    else
        verdict = veer_ladder(TREE_LITERAL[node], TREE_ALTERNATIVE[node] == 1, parent, path->input_length,
                              current_input(), &control->current_length);
    if (verdict == VERDICT_UNKNOWN) /* what it was given up behind may have taken its time */
        LADDER->clock = veer_now();
    control->solve_nanoseconds += LADDER->clock - start;
    return verdict;
}

/* Works on one open node; DONE whatever became of it. */
static enum veer_reply expand_node(uint32_t node)
{
    struct veer_control *control = VEER_CONTROL;
    if (node >= control->tree_count || TREE_STATE[node] != VEER_STATE_OPEN || TREE_PATH[node] >= control->path_count)
        return VEER_REPLY_DONE;
    if (!veer_tree_room(VEER_PATHS[TREE_PATH[node]].input_length))
        return VEER_REPLY_FULL;
    switch (solve(node)) {
    case VERDICT_UNSAT:
        TREE_STATE[node] = VEER_STATE_INFEASIBLE;
        control->infeasible++;
        return VEER_REPLY_DONE;
    case VERDICT_SAT: return veer_run_and_record(node, LADDER->clock);
    default: enqueue(node); return VEER_REPLY_DONE;
    }
}

enum veer_reply veer_command_expand(void)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t count = control->id_count < VEER_IDS_CAPACITY ? control->id_count : VEER_IDS_CAPACITY;
    for (control->ids_done = 0; control->ids_done < count && !wants_stop();) {
        enum veer_reply reply = expand_node(VEER_IDS[control->ids_done]);
        if (reply == VEER_REPLY_FULL)
            return reply;
        control->ids_done++;
        if (reply != VEER_REPLY_DONE)
            return reply;
    }
    return VEER_REPLY_DONE;
}

/* A full campaign can still repeat what it found: the run is not recorded, its input takes the place of stored ones
   meanwhile. */
static enum veer_reply run_unrecorded(void)
{
    struct veer_control *control = VEER_CONTROL;
    uint64_t used = control->input_bytes;
    uint32_t room = control->leaf_bytes > control->inbox_length ? control->leaf_bytes : control->inbox_length;
    if (room > REPEATED_INPUT || room > VEER_INPUTS_CAPACITY)
        return VEER_REPLY_FULL;
    uint64_t place = VEER_INPUTS_CAPACITY - room < used ? VEER_INPUTS_CAPACITY - room : used;
    memcpy(EXPANSION->set_aside, VEER_INPUTS + place, used - place);
    control->input_bytes = place;
    load_inbox();
    control->last_report = VEER_NONE;
    control->last_path = VEER_NONE;
    veer_execute();
    control->runs++;
    memcpy(VEER_INPUTS + place, EXPANSION->set_aside, used - place);
    control->input_bytes = used;
    return VEER_REPLY_FULL;
}

/* A run that leaves nothing behind in the tree, to see which path an input takes. */
static enum veer_reply probe(void)
{
    struct veer_control *control = VEER_CONTROL;
    if (!veer_tree_room(control->inbox_length))
        return VEER_REPLY_FULL;
    load_inbox();
    control->last_report = VEER_NONE;
    control->last_path = VEER_NONE;
    int renew = veer_execute();
    veer_drop_new_edges();
    return renew ? VEER_REPLY_RESTART : VEER_REPLY_DONE;
}

enum veer_reply veer_command_run(void)
{
    veer_trail_pop(0);
    if (VEER_CONTROL->record == PROBE)
        return probe();
    if (!veer_tree_room(VEER_CONTROL->inbox_length))
        return run_unrecorded();
    load_inbox();
    return veer_run_and_record(VEER_NONE, veer_now());
}

enum veer_reply veer_command_follow(void)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t node = VEER_IDS[0];
    control->ids_done = 0;
    if (node == 0 || node >= control->tree_count || TREE_STATE[node] == VEER_STATE_TAKEN)
        return VEER_REPLY_DONE;
    if (!veer_tree_room(control->inbox_length))
        return VEER_REPLY_FULL;
    veer_trail_seek(TREE_PARENT[node]);
    load_inbox();
    enum veer_reply reply = veer_run_and_record(node, veer_now());
    control->ids_done = 1;
    return reply;
}

/* A hash for a run whose own one died with its process. */
static uint64_t hash_of_trace(void)
{
    const struct veer_control *control = VEER_CONTROL;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < control->trace_count; i++) {
        const struct veer_event *event = &VEER_TRACE[i];
        if (event->kind == VEER_KIND_BRANCH || event->kind == VEER_KIND_CHOICE)
            hash = (hash ^ (2 * (uint64_t)event->site + event->alternative + 1)) * VEER_HASH_MULTIPLIER;
    }
    return hash;
}

/* What the run covered as far as its trace tells, for whoever records it: the coverage died with the process. */
static void edges_of_trace(void)
{
    const struct veer_control *control = VEER_CONTROL;
    uint8_t *edges = VEER_REGION(uint8_t, RUN_EDGES);
    memset(edges, 0, control->edge_count);
    for (uint32_t i = 0; i < control->trace_count; i++) {
        const struct veer_event *event = &VEER_TRACE[i];
        uint64_t edge = 2 * (uint64_t)event->site + event->alternative;
        if (event->kind == VEER_KIND_BRANCH && edge < control->edge_count)
            edges[edge] = 1;
    }
}

/* After the process died in a run: what it had traced so far is a path that ended with control.crash_outcome. */
enum veer_reply veer_command_rescan(void)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t node = control->current_node;
    int was_aimed = node != VEER_NONE && node < control->tree_count && node != 0;
    if (!was_aimed && !control->running)
        return VEER_REPLY_DONE;
    control->running = 0;
    if (!veer_tree_room(control->current_length))
        return VEER_REPLY_FULL;
    if (was_aimed)
        veer_trail_seek(TREE_PARENT[node]);
    control->last_report = VEER_NONE;
    control->last_outcome = control->crash_outcome;
    veer_tree_trim_trace();
    control->current_hash = hash_of_trace();
    if (control->record)
        edges_of_trace();
    control->runs++;
    int fits = veer_tree_record(was_aimed ? node : VEER_NONE, control->crash_outcome);
    control->current_node = VEER_NONE;
    return fits ? VEER_REPLY_DONE : VEER_REPLY_FULL;
}

/* Pushes the open nodes among ids first .. end - 1, in that order. */
static uint32_t push_open(uint32_t top, uint32_t first, uint32_t end)
{
    for (uint32_t id = first; id < end; id++) {
        if (TREE_STATE[id] == VEER_STATE_OPEN)
            EXPANSION->search[top++] = id;
    }
    return top;
}

/* Pushes the open nodes of a subtree, the deepest on top among those of one path. */
static uint32_t push_subtree(uint32_t root)
{
    uint32_t top = 0, node = root;
    if (TREE_STATE[root] == VEER_STATE_OPEN)
        EXPANSION->search[top++] = root;
    for (;;) {
        uint32_t next = TREE_CHILD[node] == VEER_NONE ? 0 : TREE_CHILD[node];
        while (!next && node != root) {
            next = TREE_SIBLING[node];
            if (!next)
                node = TREE_PARENT[node];
        }
        if (!next)
            return top;
        node = next;
        if (TREE_STATE[node] == VEER_STATE_OPEN)
            EXPANSION->search[top++] = node;
    }
}

enum veer_reply veer_command_dfs(void)
{
    struct veer_control *control = VEER_CONTROL;
    control->ids_done = 0;
    if (VEER_IDS[0] >= control->tree_count)
        return VEER_REPLY_DONE;
    uint64_t runs = control->runs;
    uint32_t top = push_subtree(VEER_IDS[0]);
    while (top && !wants_stop() && (control->max_runs == 0 || control->runs - runs < control->max_runs)) {
        uint32_t before = control->tree_count, node = EXPANSION->search[--top];
        enum veer_reply reply = expand_node(node);
        if (reply != VEER_REPLY_DONE)
            return reply;
        top = push_open(top, before, control->tree_count);
    }
    control->ids_done = 1;
    return VEER_REPLY_DONE;
}
