/* Signals: what strikes while the unit runs ends that run; what strikes elsewhere is veer's own fault and kills the process. */
#define _GNU_SOURCE
#include "signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "bounds.h"
#include "endings.h"
#include "globals.h"
#include "guard.h"
#include "image.h"
#include "mapped.h"
#include "memory_map.h"
#include "process.h"
#include "run.h"
#include "sites.h"
#include "veer_runtime.h"

static uint32_t outcome_of(int number, uint64_t address) {
    switch (number) {
    case SIGSEGV:
    case SIGBUS:
        if (address >= VEER_NATIVE_STACK_BASE - VEER_PAGE * 16ull && address < VEER_NATIVE_STACK_BASE + VEER_NATIVE_STACK_SIZE)
            return VEER_OUTCOME_STACK_OVERFLOW;
        return address < VEER_NULL_END ? VEER_OUTCOME_SEGFAULT_NULL : VEER_OUTCOME_SEGFAULT_WILD;
    case SIGFPE: return VEER_OUTCOME_DIVISION;
    case SIGABRT: return VEER_OUTCOME_ABORTED;
    case SIGXFSZ: return VEER_OUTCOME_OUTPUT_LIMIT;
    case SIGILL:
    case SIGTRAP: return VEER_OUTCOME_ILLEGAL;
    default: return VEER_OUTCOME_KILLED;
    }
}

static void on_signal(int number, siginfo_t *information, void *context) {
    uint64_t counter = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    uint64_t address = number == SIGSEGV || number == SIGBUS ? (uint64_t)(uintptr_t)information->si_addr : 0;
    int is_access = number == SIGSEGV || number == SIGBUS;
    if (number == SIGSYS && veer_guard_refused(information, context)) return;
    if (number == SIGSEGV && veer_warm_page(address)) return;
    if (!RUN->in_run) {
        signal(number, SIG_DFL);
        if (information->si_code <= 0 || number == SIGSYS) raise(number);
        return;
    }
    if (is_access && information->si_code == SI_KERNEL) address = ~0ull; /* a non-canonical address: the kernel does not tell it */
    int in_unit = counter >= IMAGE->begin && counter < IMAGE->text_end;
    uint32_t outcome = outcome_of(number, address);
    if (is_access && in_unit && !GLOBALS->is_guarded && veer_is_constant_data(address, 1)) GLOBALS->constant_written = 1;
    if ((!in_unit && counter != address) || (outcome != VEER_OUTCOME_STACK_OVERFLOW && veer_own_address(address))) PROCESS->untrusted = 1;
    if (is_access && in_unit) veer_require_stack(address);
    int known = is_access && in_unit && BOUNDS->foreign_depth == VEER_HOT->depth;
    struct veer_report *report = veer_report_begin(outcome, known ? BOUNDS->foreign_site : veer_here());
    const char *place = in_unit ? "" : " in a library";
    report->address = address;
    if (outcome == VEER_OUTCOME_STACK_OVERFLOW) strcpy(report->message, "the native stack is full");
    else if (is_access)
        snprintf(report->message, sizeof report->message, "an access to %#llx%s", (unsigned long long)address, place);
    else
        snprintf(report->message, sizeof report->message, "%s%s",
                 number == SIGFPE ? "division by zero or overflow of the quotient" : strsignal(number), place);
    veer_finish(outcome);
}

/* (Re)installs the handlers, on a stack of their own, and stops the timers of the last run. */
void veer_install_handlers(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM, SIGXFSZ,
                                  SIGPIPE, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGSYS};
    stack_t stack = {.ss_sp = (void *)VEER_SIGNAL_STACK, .ss_size = VEER_SIGNAL_STACK_SIZE};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    struct itimerval never = {{0, 0}, {0, 0}};
    sigset_t none;
    for (int timer = ITIMER_REAL; timer <= ITIMER_PROF; timer++) setitimer((enum __itimer_which)timer, &never, NULL);
    sigaltstack(&stack, NULL);
    for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (numbers[k] != SIGSYS || !GUARD_STATE->is_on) sigaction(numbers[k], &action, NULL); /* the guard lets nobody change that */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
