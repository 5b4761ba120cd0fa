/* Choices as an odometer, the log of a run, endings, and the loop over all runs. */
#include "brute.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHOICES = 1 << 16, MAX_ROWS = 1 << 20, MAX_DEPTH = 65000 };
enum { MAX_STEPS = 200000 };

static const char *const names[BF_OUTCOMES] = {
    "returned",   "exited",   "abort",   "assertion", "null-dereference", "wild-pointer",
    "stack-overflow", "division", "out-of-bounds-read", "out-of-bounds-write", "use-after-free",
    "double-free", "bad-free", "hang", "assumption", "undefined",
};

/* The odometer: choice k of this run took `index` of `count` alternatives. */
static struct {
    uint32_t index, count;
} choices[MAX_CHOICES];
static uint32_t choices_known, choices_used;

static sigjmp_buf ending;
static enum bf_outcome outcome;
static uint64_t path_hash, result_bits, runs;
static uint32_t result_size, steps, depth;
int bf_replaying;

/* One row for each distinct (path, outcome, result). */
struct row {
    uint64_t hash, result, count;
    uint32_t outcome, size;
};
static struct row *rows;
static uint32_t row_count;

uint32_t bf_choose(uint32_t count) {
    if (choices_used == MAX_CHOICES || count == 0) {
        fprintf(stderr, "brute force: too many choices, or an empty domain\n");
        exit(3);
    }
    if (choices_used == choices_known) {
        choices[choices_known].index = 0;
        choices[choices_known].count = count;
        choices_known++;
    }
    return choices[choices_used++].index;
}

/* Steps to the next input; 0 when all are done. */
static int next_input(void) {
    choices_known = choices_used;
    while (choices_known && choices[choices_known - 1].index + 1 == choices[choices_known - 1].count)
        choices_known--;
    if (!choices_known)
        return 0;
    choices[choices_known - 1].index++;
    return 1;
}

void bf_mix(uint64_t value) {
    path_hash = (path_hash ^ value) * 0xff51afd7ed558ccdull;
    path_hash ^= path_hash >> 29;
}

/* What pointers lead to, unless a path is to be the directions of its branches alone. */
void bf_mix_graph(uint64_t value) {
    if (!getenv("BRUTE_DIRECTIONS"))
        bf_mix(value);
}

_Noreturn void bf_end(enum bf_outcome how) {
    outcome = how;
    siglongjmp(ending, 1);
}

/* A check of the compiler's failed; 3 is its number of quotients. */
void bf_undefined(uint32_t kind) {
    bf_end(kind == 3 ? BF_DIVISION : BF_UNDEFINED);
}

void bf_step(void) {
    if (++steps > MAX_STEPS)
        bf_end(BF_HANG);
}

void bf_branch(uint32_t site, uint32_t direction) {
    bf_step();
    bf_mix(((uint64_t)site << 32 | direction) + 1);
}

void bf_switch(uint32_t site, uint64_t value, uint32_t count, const uint64_t *cases) {
    uint32_t taken = 0;
    while (taken < count && cases[taken] != value)
        taken++;
    bf_branch(site, taken + 2);
}

void bf_depth(int change);
void bf_depth(int change) {
    depth += change;
    if (depth > MAX_DEPTH)
        bf_end(BF_STACK);
    bf_step();
}

void bf_result(const void *value, uint32_t size) {
    result_bits = 0;
    memcpy(&result_bits, value, size < 8 ? size : 8);
    result_size = size;
}

static void on_signal(int number, siginfo_t *information, void *context) {
    (void)context;
    if (number != SIGFPE && (uintptr_t)information->si_addr < 65536)
        bf_end(BF_NULL);
    bf_end(number == SIGFPE ? BF_DIVISION : BF_WILD);
}

static void run_once(void) {
    path_hash = 0x9e3779b97f4a7c15ull;
    result_bits = result_size = steps = depth = choices_used = 0;
    outcome = BF_RETURNED;
    bf_memory_reset();
    bf_inputs_reset();
    if (sigsetjmp(ending, 0) == 0)
        bf_case();
    if (outcome != BF_RETURNED && outcome != BF_EXITED)
        result_size = 0, result_bits = 0;
    runs++;
}

static void print_result(const struct row *row) {
    printf("%016llx %s ", (unsigned long long)row->hash, names[row->outcome]);
    if (!row->size)
        printf("-");
    for (uint32_t i = 0; i < row->size && i < 8; i++)
        printf("%02x", (unsigned)(row->result >> (8 * i) & 255));
}

static struct row current(void) {
    struct row row = {path_hash, result_bits, 1, outcome, result_size};
    return row;
}

/* Counts the run in its row; a new row is printed with the input that led to it. */
static void note_run(void) {
    struct row new = current();
    uint64_t slot = (new.hash ^ new.result * 0x9e3779b97f4a7c15ull ^ (uint64_t)new.outcome << 50) % MAX_ROWS;
    for (;; slot = (slot + 1) % MAX_ROWS) {
        struct row *row = &rows[slot];
        if (!row->count)
            break;
        if (row->hash == new.hash && row->result == new.result && row->outcome == new.outcome && row->size == new.size) {
            row->count++;
            return;
        }
    }
    if (++row_count > MAX_ROWS / 2) {
        fprintf(stderr, "brute force: too many distinct results\n");
        exit(3);
    }
    rows[slot] = new;
    print_result(&new);
    bf_witness_print();
    printf("\n");
}

static void *all_runs(void *unused) {
    static char signal_stack[65536];
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_NODEFER | SA_ONSTACK | SA_SIGINFO};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    if (bf_replaying) {
        while (bf_replay_read()) {
            struct row row;
            run_once();
            row = current();
            print_result(&row);
            printf(" %u\n", bf_undecided);
        }
    } else {
        do {
            run_once();
            note_run();
        } while (next_input());
        printf("runs %llu\n", (unsigned long long)runs);
    }
    return unused;
}

/* Without an argument: every input. With `replay`: the inputs that stdin describes. */
int main(int argc, char **argv) {
    pthread_t thread;
    pthread_attr_t attributes;
    (void)argv;
    bf_replaying = argc > 1;
    rows = calloc(MAX_ROWS, sizeof *rows);
    bf_globals();
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 30); /* deep recursion with red zones in every frame */
    if (!rows || pthread_create(&thread, &attributes, all_runs, NULL) || pthread_join(thread, NULL))
        return 3;
    return 0;
}
