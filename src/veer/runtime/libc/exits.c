/* atexit and on_exit: what a program registers runs when it exits, the last first. */
#include <stdlib.h>

#include "libc.h"

enum { MOST_HANDLERS = 256 };

struct handler {
    void (*plain)(void);       /* of atexit; or */
    void (*told)(int, void *); /* of on_exit, with the exit code and what it was registered with */
    void *argument;
};

static struct handler handlers[MOST_HANDLERS];
static unsigned count;

static int register_one(struct handler handler) {
    if (count == MOST_HANDLERS) veer_refuse("more functions for the exit than veer follows");
    handlers[count++] = handler;
    return 0;
}

int veer_libc_atexit(void (*handler)(void)) { return register_one((struct handler){.plain = handler}); }

int veer_libc_on_exit(void (*handler)(int, void *), void *argument) {
    return register_one((struct handler){.told = handler, .argument = argument});
}

int veer_libc_at_quick_exit(void (*handler)(void)) {
    (void)handler;
    veer_refuse("at_quick_exit");
}

/* Called where exit is (the tracer's veer_exit). Handlers may register others. */
void veer_run_exit_handlers(int code);

void veer_run_exit_handlers(int code) {
    while (count) {
        struct handler *last = &handlers[--count];
        if (last->plain) last->plain();
        else last->told(code, last->argument);
    }
}
