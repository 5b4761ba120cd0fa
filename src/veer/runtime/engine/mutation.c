/* The mutation stage (docs/decisions/0470): concrete runs of changed inputs.

       found by the search ──► corpus ──► picked ──► run as it is: which leaves there are
                                 ▲                      │ changed, run, changed, run, ...
                                 └── counts of an edge ─┤
                                                        └ an edge that the campaign has not covered, a bug ──► run concolically */
#include "mutation.h"
#include "corpus.h"
#include "current.h"
#include "dictionary.h"
#include "executes.h"
#include "expand.h"
#include "hash.h"
#include "mutate.h"
#include "novelty.h"
#include "paths.h"
#include "places.h"
#include "random.h"
#include "trail.h"
#include "tree.h"
#include "veer_shared.h"
#include <string.h>

enum { CHANGES_A_PICK = 64, TRIES_OF_AN_END = 3, LEAST_STEPS = 20000, LONGEST_FIND = 1 << 20, STEPS_OF_CORPUS = 8 };

struct finds_state {
    uint8_t input[LONGEST_FIND]; /* the one that is run concolically */
};
ENGINE_STATE_FITS(finds);
#define FINDS ENGINE_STATE(finds)

#define SEED_OF_NOTHING 0x9e3779b97f4a7c15ull

/* How many steps a run may take: more than eight times those of the longest of the corpus is a hang, which is looked at once. */
static uint64_t most_steps(void)
{
    uint64_t most = LEAST_STEPS, limit = VEER_CONTROL->max_steps;
    for (uint32_t k = 0; k < VEER_CONTROL->corpus_count; k++)
        if ((uint64_t)CORPUS[k].steps * STEPS_OF_CORPUS > most)
            most = (uint64_t)CORPUS[k].steps * STEPS_OF_CORPUS;
    return limit && limit < most ? limit : most;
}

/* Whether an end of this kind, at this place, is still to be run concolically: it is so a few times. */
static int is_to_be_tried(uint32_t outcome, uint32_t site)
{
    uint64_t *tried = VEER_REGION(uint64_t, TRIED), key = mix(outcome + 1, site) | 0xff;
    for (uint32_t k = 0; k < VEER_TRIED_CAPACITY; k++) {
        uint64_t *entry = &tried[(key >> 8 ^ k) % VEER_TRIED_CAPACITY];
        if (*entry && (*entry | 0xff) != key)
            continue;
        if (!*entry)
            *entry = key & ~0xffull;
        if ((*entry & 0xff) == TRIES_OF_AN_END)
            return 0;
        ++*entry;
        return 1;
    }
    return 0;
}

/* Whether the run that just ended has a report, of a bug that is not known. */
static int shows_bug(void)
{
    const struct veer_control *control = VEER_CONTROL;
    if (control->last_report != control->report_count || control->report_count == VEER_REPORTS_CAPACITY)
        return 0;
    const struct veer_report *report = &VEER_REPORTS[control->last_report];
    return veer_is_new_bug(report) && is_to_be_tried(report->outcome, report->site);
}

static int is_ordinary(uint32_t outcome)
{
    return outcome != VEER_OUTCOME_ASSUMPTION && outcome != VEER_OUTCOME_CAPACITY;
}

/* One concrete run of the current input. */
static int run_once(struct run_news *news, uint64_t limit, uint64_t *steps)
{
    struct veer_control *control = VEER_CONTROL;
    control->last_report = VEER_NONE;
    int renew = veer_execute_concretely(limit, steps);
    control->mutated_runs++;
    control->mutated_steps += *steps;
    *news = (struct run_news){0, 0, VEER_NONE};
    if (is_ordinary(control->last_outcome))
        *news = veer_run_news();
    return renew;
}

/* Records the current input, whose concolic run takes too long, by a concrete one: it is a path, with all that it covers, but the tree
   knows nothing of its decisions, so that no claim rests on it. */
static enum veer_reply record_alone(const uint8_t *input, uint32_t length)
{
    struct veer_control *control = VEER_CONTROL;
    uint64_t steps;
    if (!veer_tree_room(length))
        return VEER_REPLY_FULL;
    memmove(current_input(), input, length);
    control->current_length = length;
    control->last_report = VEER_NONE;
    int renew = veer_execute_concretely(control->max_steps, &steps);
    uint32_t path = veer_path_begin(control->last_outcome, 0, 0);
    if (path != VEER_NONE)
        veer_path_finish(path, VEER_NONE, 0);
    return renew ? VEER_REPLY_RESTART : VEER_REPLY_DONE;
}

/* Runs the current input concolically: it enters the tree. `input` is a copy of it. */
static enum veer_reply run_concolically(const uint8_t *input, uint32_t length)
{
    struct veer_control *control = VEER_CONTROL;
    memmove(current_input(), input, length);
    control->current_length = length;
    control->mutation_finds++;
    control->is_given_up = 0;
    control->work_limit = control->symbolic_operations + control->evaluated_nodes + control->find_limit;
    veer_forget_edges();
    enum veer_reply reply = veer_run_and_record(VEER_NONE, veer_now());
    control->work_limit = 0;
    if (control->is_given_up && reply != VEER_REPLY_RESTART)
        reply = record_alone(input, length);
    control->is_given_up = 0;
    veer_forget_edges();
    return reply;
}

/* A changed input is in place; what it shows is kept. */
static enum veer_reply try_input(uint64_t limit)
{
    struct veer_control *control = VEER_CONTROL;
    struct run_news news;
    uint64_t steps;
    int renew = run_once(&news, limit, &steps);
    uint32_t length = control->current_length;
    enum veer_reply reply = renew ? VEER_REPLY_RESTART : VEER_REPLY_DONE;
    int is_end = shows_bug();
    if (news.counts && control->last_outcome != VEER_OUTCOME_HANG)
        veer_corpus_add(current_input(), length, steps, news.rarest);
    if (length > LONGEST_FIND)
        return reply;
    if ((news.edges || is_end) && (!control->run_limit || control->runs < control->run_limit)) {
        memcpy(FINDS->input, current_input(), length);
        enum veer_reply second = run_concolically(FINDS->input, length);
        reply = second == VEER_REPLY_DONE ? reply : second;
    }
    return reply;
}

/* Takes the inputs that the search found worth telling of since the last time. */
static enum veer_reply take_found(void)
{
    struct veer_control *control = VEER_CONTROL;
    const uint32_t *interesting = VEER_REGION(uint32_t, INTERESTING);
    for (; control->mutation_reads < control->interesting_count; control->mutation_reads++) {
        uint32_t path = interesting[control->mutation_reads];
        if (path >= control->path_count)
            continue;
        const struct veer_path *record = &VEER_PATHS[path];
        struct run_news news;
        uint64_t steps;
        if (!veer_tree_room(record->input_length))
            return VEER_REPLY_FULL;
        memcpy(current_input(), VEER_INPUTS + record->input_offset, record->input_length);
        control->current_length = record->input_length;
        if (run_once(&news, control->max_steps, &steps))
            return VEER_REPLY_RESTART;
        if (news.counts || !control->corpus_count)
            veer_corpus_add(current_input(), control->current_length, steps, news.rarest);
    }
    return VEER_REPLY_DONE;
}

/* Runs an input of the corpus as it is: its leaves are listed, and where it stands now is known. */
static int look_at(struct veer_corpus_entry *entry)
{
    struct run_news news;
    uint64_t steps;
    memcpy(current_input(), CORPUS_BYTES + entry->input_offset, entry->input_length);
    VEER_CONTROL->current_length = entry->input_length;
    VEER_CONTROL->lists_leaves = 1;
    int renew = run_once(&news, VEER_CONTROL->max_steps, &steps);
    VEER_CONTROL->lists_leaves = 0;
    if (news.rarest != VEER_NONE)
        entry->rarest = news.rarest;
    return !renew && veer_mutate_begin();
}

/* Where a turn ends, in runs and in steps of all turns. */
struct turn_end {
    uint64_t runs, steps;
};

static int is_over(struct turn_end end)
{
    return VEER_CONTROL->mutated_runs >= end.runs || VEER_CONTROL->mutated_steps >= end.steps || wants_stop();
}

/* Changes one input of the corpus, a number of times. */
static enum veer_reply change_one(struct turn_end end, uint64_t limit)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t picked = veer_corpus_pick();
    if (!veer_tree_room(control->leaf_bytes + CORPUS[picked].input_length))
        return VEER_REPLY_FULL;
    if (!look_at(&CORPUS[picked]))
        return VEER_REPLY_DONE;
    for (uint32_t k = 0; k < CHANGES_A_PICK && !is_over(end); k++) {
        const struct veer_corpus_entry *entry = &CORPUS[picked], *other = &CORPUS[random_below(control->corpus_count)];
        uint8_t *input = current_input();
        memcpy(input, CORPUS_BYTES + entry->input_offset, entry->input_length);
        control->current_length = veer_mutate(input, entry->input_length, CORPUS_BYTES + other->input_offset, other->input_length);
        enum veer_reply reply = try_input(limit);
        control->ids_done++;
        if (reply != VEER_REPLY_DONE)
            return reply;
    }
    return VEER_REPLY_DONE;
}

enum veer_reply veer_command_mutate(void)
{
    struct veer_control *control = VEER_CONTROL;
    struct turn_end end = {control->mutated_runs + control->max_runs, UINT64_MAX};
    if (control->turn_steps)
        end.steps = control->mutated_steps + control->turn_steps;
    control->ids_done = 0;
    veer_trail_pop(0);
    if (!control->mutation_random)
        control->mutation_random = mix(control->seed, SEED_OF_NOTHING) | 1;
    veer_learn_words();
    enum veer_reply reply = take_found();
    uint64_t limit = most_steps();
    while (reply == VEER_REPLY_DONE && control->corpus_count && !is_over(end))
        reply = change_one(end, limit);
    veer_forget_edges();
    return reply;
}
