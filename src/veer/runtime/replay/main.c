/* The driver of one replayed test: it maps its files, runs the harness, and says how that ended. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "replay.h"

enum { DATA = 1, RECORD, ARGUMENTS };

_Noreturn void veer_replay_end(enum veer_replay_state state, int code) {
    veer_replay_record->state = state;
    exit(code);
}

void veer_assume(int condition) {
    if (!condition) veer_replay_end(REPLAY_REFUSED, 0);
}

static int is_reached;

_Bool veer_place_reached(void) {
    is_reached = 1;
    return 1;
}

void veer_place_avoided(void) { veer_assume(is_reached); }

void veer_error(const char *text) {
    fprintf(stderr, "Assertion failed: %s\n", text);
    abort();
}

void(veer_assert)(int condition, const char *text) {
    if (!condition) veer_error(text);
}

void veer_silent_exit(int code) { exit(code); }

int main(int argc, char **argv) {
    if (argc != ARGUMENTS) {
        fprintf(stderr, "usage: %s DATA RECORD\n", argv[0]);
        return 2;
    }
    veer_replay_map(argv[DATA], argv[RECORD]);
    veer_replay_begin_files();
    veer_main();
    veer_replay_record->state = REPLAY_RETURNED;
    return 0;
}
