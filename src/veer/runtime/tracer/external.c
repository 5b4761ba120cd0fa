/* Calls of functions that are not instrumented: what goes in, what may have been written. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracer.h"

#define MAX_REACHED 1024

/* Sorted. They write to a stream and nothing that the program computes with. */
static const char *const output_only[] = {
    "__fprintf_chk", "__printf_chk", "__vfprintf_chk", "__vprintf_chk", "dprintf", "err", "errx", "error", "fflush", "fprintf", "fputc",
    "fputc_unlocked", "fputs", "fputs_unlocked", "fputwc", "fputws", "fwrite", "fwrite_unlocked", "perror", "printf", "putc", "putc_unlocked",
    "putchar", "putchar_unlocked", "puts", "putw", "putwc", "putwchar", "syslog", "vdprintf", "vfprintf", "vprintf", "vsyslog", "vwarn",
    "vwarnx", "warn", "warnx", "wprintf", "write"};

/* Sorted. Their result depends on what they are given, but they leave the program's memory alone. */
static const char *const readers[] = {
    "access", "atof", "chdir", "chmod", "close", "creat", "fclose", "feof", "ferror", "fileno", "fopen", "fseek", "ftell", "getuid", "isatty",
    "lseek", "mkdir", "nanosleep", "open", "opendir", "pow", "rename", "rewind", "rmdir", "sleep", "strcoll", "strerror", "unlink", "usleep"};

/* Sorted. They would leave the executor, or run code that veer cannot follow. */
static const char *const forbidden[] = {
    "clone", "daemon", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fexecve", "fork", "forkpty", "popen",
    "posix_spawn", "posix_spawnp", "pthread_create", "ptrace", "reboot", "system", "thrd_create", "vfork"};

/* Sorted. They may replace the executor's signal handlers. */
static const char *const handlers[] = {"alarm", "bsd_signal", "setitimer", "sigaction", "sigaltstack", "signal",
                                       "sigprocmask", "sigset", "sysv_signal", "ualarm"};

static int by_name(const void *a, const void *b) { return strcmp(a, *(const char *const *)b); }

#define LISTED(name, table) ((name) && bsearch((name), (table), sizeof(table) / sizeof *(table), sizeof *(table), by_name))

/* Objects that uninstrumented code can reach from its arguments. */
struct reached {
    uint32_t count;
    int symbolic;
    int overflow; /* there are more: all memory counts as reached */
    struct veer_range objects[MAX_REACHED];
};

static void reach_nothing(struct reached *reached) { reached->count = 0, reached->symbolic = 0, reached->overflow = 0; }

static void reach(struct reached *reached, uint64_t value) {
    if (value < VEER_NULL_END || value >= VEER_LOW_END || veer_words(value)[0] == 0) return;
    struct veer_found found = veer_find_object(value);
    if (!found.region || value < found.base || value >= found.base + found.size) return;
    for (uint32_t k = 0; k < reached->count; k++)
        if (reached->objects[k].begin == found.base) return;
    if (reached->count >= MAX_REACHED) {
        reached->overflow = reached->symbolic = 1;
        return;
    }
    reached->objects[reached->count++] = (struct veer_range){(uint32_t)found.base, (uint32_t)(found.base + found.size)};
}

/* Follows pointers in the memory of an object; undecided ones are decided. */
static void reach_from(struct reached *reached, struct veer_range object, uint32_t site) {
    uint64_t size = object.end - object.begin;
    if (veer_symbolic_range(object.begin, size)) {
        veer_decide_range(object.begin, size, site);
        reached->symbolic |= veer_symbolic_range(object.begin, size);
    }
    veer_warm_range(object.begin, size);
    for (uint64_t place = (object.begin + 7ull) & ~7ull; place + 8 <= object.end; place += 8)
        reach(reached, *(const uint64_t *)(uintptr_t)place);
}

static void reach_all(struct reached *reached, const uint64_t *values, uint32_t count, uint32_t site) {
    reach_nothing(reached);
    for (uint32_t k = 0; k < count; k++) reach(reached, values[k]);
    for (uint32_t k = 0; k < reached->count; k++) reach_from(reached, reached->objects[k], site);
}

/* printf with %n writes memory. */
static int writes_through_format(uint32_t count, const uint64_t *values) {
    for (uint32_t k = 0; k < count && k < 3; k++) {
        int readable = values[k] >= VEER_NULL_END && values[k] < VEER_LOW_END && veer_words(values[k])[0] != 0;
        if (!readable) continue;
        const char *text = (const char *)(uintptr_t)values[k];
        for (; veer_words((uint64_t)(uintptr_t)text)[0] != 0 && *text; text++)
            if (text[0] == '%' && text[1] == 'n') return 1;
    }
    return 0;
}

/* What a call would do to the executor itself. */
enum effect { HARMLESS, LEAVES, KILLS };

/* kill() may only reach this process itself, and a signal that cannot be caught ends the run instead. */
static enum effect effect_of(const char *name, uint32_t count, const uint64_t *values) {
    if (LISTED(name, forbidden)) return LEAVES;
    if (!name || count == 0) return HARMLESS;
    int raises = strcmp(name, "raise") == 0, kills = strcmp(name, "kill") == 0 || strcmp(name, "killpg") == 0;
    if (!raises && !kills) return HARMLESS;
    if (kills && (int)values[0] != getpid()) return LEAVES;
    int number = (int)values[count > 1 && kills ? 1 : 0];
    return number == SIGKILL || number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU ? KILLS : HARMLESS;
}

/* Ends the run in place of a call that would end the executor. */
static _Noreturn void refuse(enum effect effect, uint32_t site, const char *name) {
    uint32_t outcome = effect == KILLS ? VEER_OUTCOME_KILLED : VEER_OUTCOME_UNSUPPORTED;
    struct veer_report *report = veer_report_begin(outcome, site);
    strcpy(report->message, effect == KILLS ? "the program kills or stops itself: " : "a call that would leave the executor: ");
    strncat(report->message, name, 64);
    veer_finish(outcome);
}

static void concretise_range(uint64_t begin, uint64_t end) {
    struct veer_found found = veer_find_object(begin);
    uint32_t *words = veer_words(0), concrete = veer_concrete_word(&found);
    for (uint64_t place = begin; place < end; place++)
        if (words[place] >= VEER_FIRST_EXPRESSION) words[place] = concrete;
}

/* All that the unit has; undecided pointers are decided first. */
static void concretise_everything(uint32_t site) {
    const struct veer_tracer *tracer = TRACER;
    for (uint32_t k = 0; k < tracer->chunk_count; k++) /* deciding may append chunks */
        veer_decide_range(tracer->chunks[k].address, tracer->chunks[k].size, site);
    veer_decide_range(VEER_STACK_BASE, tracer->stack_end - VEER_STACK_BASE, site);
    veer_decide_range(tracer->data_begin, tracer->data_end - tracer->data_begin, site);
    for (uint32_t k = 0; k < tracer->chunk_count; k++)
        concretise_range(tracer->chunks[k].address, (uint64_t)tracer->chunks[k].address + tracer->chunks[k].size);
    concretise_range(VEER_STACK_BASE, tracer->stack_end);
    concretise_range(tracer->data_begin, tracer->data_end);
}

/* Symbolic bytes that the call may overwrite become concrete. */
static void concretise(const struct reached *reached, uint32_t site) {
    if (reached->overflow) concretise_everything(site);
    for (uint32_t k = 0; k < reached->count; k++) concretise_range(reached->objects[k].begin, reached->objects[k].end);
}

/* Whether uninstrumented code that has not returned yet may write to that memory when it goes on: what is stored there meanwhile (by
   a function that it called back) cannot stay symbolic. Locals made since then are nobody's but the callback's. */
int veer_may_be_overwritten(uint64_t address) {
    const struct veer_tracer *tracer = TRACER;
    for (uint32_t k = 0; k < tracer->external_count; k++) {
        const struct veer_external_call *call = &tracer->externals[k];
        int is_inner_local = address >= call->stack_mark && address < VEER_STACK_BASE + (uint64_t)VEER_STACK_SIZE;
        if (call->writes && call->depth < VEER_HOT->depth && !is_inner_local) return 1;
    }
    return 0;
}

void veer_external_begin(uint32_t site, uint32_t count, const char *name) {
    struct veer_tracer *tracer = TRACER;
    struct veer_hot *hot = VEER_HOT;
    struct reached reached;
    int symbolic = 0;
    if (count > VEER_MAX_ARGUMENTS) count = VEER_MAX_ARGUMENTS;
    for (uint32_t k = 0; k < count; k++) symbolic |= veer_symbolic(hot->arguments[k]);
    hot->callee = 0;
    hot->returner = 0;
    enum effect effect = effect_of(name, count, hot->values);
    if (effect != HARMLESS) refuse(effect, site, name);
    int quiet = LISTED(name, output_only) && !writes_through_format(count, hot->values);
    if (LISTED(name, handlers)) tracer->handlers_dirty = 1;
    while (tracer->external_count > 0 && tracer->externals[tracer->external_count - 1].depth > hot->depth) tracer->external_count--;
    if (tracer->external_count >= VEER_MAX_EXTERNALS) veer_end_run(VEER_OUTCOME_CAPACITY, site, "too many nested calls of libraries");
    struct veer_external_call *call = &tracer->externals[tracer->external_count++];
    *call = (struct veer_external_call){.depth = hot->depth, .site = site, .count = count, .stack_mark = hot->stack_pointer,
                                         .writes = !quiet && !LISTED(name, readers)};
    memcpy(call->values, hot->values, count * sizeof *call->values);
    if (quiet) return;
    reach_all(&reached, call->values, count, site);
    if (symbolic || reached.symbolic) veer_note_loss(VEER_LOSS_EXTERNAL, site);
    if (call->writes) concretise(&reached, site); /* already now: instrumented code that it calls back sees what it wrote */
}

void veer_external_end(uint32_t site, uint32_t count, const char *name) {
    struct veer_tracer *tracer = TRACER;
    struct reached reached;
    (void)count;
    (void)name;
    VEER_HOT->callee = 0;
    while (tracer->external_count > 0) {
        struct veer_external_call *call = &tracer->externals[--tracer->external_count];
        if (call->site != site) continue;
        if (!call->writes) return;
        reach_all(&reached, call->values, call->count, site);
        concretise(&reached, site);
        return;
    }
}
