/* getopt and getopt_long of veer's own libc against the machine's on random arguments; prints each difference. */
#include <getopt.h>
#include <stdio.h>

#include "libc_compare.h"

int veer_libc_getopt(int, char *const *, const char *);
int veer_libc_getopt_long(int, char *const *, const char *, const struct option *, int *);

enum { MOST_ARGUMENTS = 6, MOST_CALLS = 24 };

static const char *const ARGUMENTS[] = {"-a", "-b", "-bx", "-ab", "-ca", "-c", "-cz", "-d", "-", "--", "x", "", "-:", "-;", "-acb", "--alpha", "--alp",
    "--al=3", "--beta", "--beta=", "--be", "--gamma=7", "--gamma", "--g", "--gap", "--none", "--flag", "--=", "--beta=q", "-?", NULL};
static const char *const LETTERS[] = {"ab:c", "ab:c::", ":ab:c::", "+ab:", "-ab:c::", "", ":", "+:ab:", "a;b:", NULL};
static int flag;
static const struct option LONG[] = {{"alpha", no_argument, NULL, 'A'}, {"alps", no_argument, NULL, 'A'}, {"beta", required_argument, NULL, 'B'},
    {"gamma", optional_argument, NULL, 'G'}, {"gap", no_argument, NULL, 'P'}, {"flag", no_argument, &flag, 9}, {NULL, 0, NULL, 0}};

struct answer {
    int result, index, place, letter;
    long flag; /* of this width: no padding, as answers are compared by memcmp */
    const char *text;
};
struct scanned {
    struct answer answers[MOST_CALLS];
    char *argv[MOST_ARGUMENTS + 1];
    int calls;
};

/* All that a program can see of a scan of its arguments. */
static void scan(struct scanned *seen, int argc, const char *letters, int is_long, int is_own) {
    optind = 0, opterr = 0, optopt = 77, flag = 0;
    for (seen->calls = 0; seen->calls < MOST_CALLS; seen->calls++) {
        int index = -5, result;
        if (is_long) result = (is_own ? veer_libc_getopt_long : getopt_long)(argc, seen->argv, letters, LONG, &index);
        else result = (is_own ? veer_libc_getopt : getopt)(argc, seen->argv, letters);
        seen->answers[seen->calls] = (struct answer){result, index, optind, optopt, flag, optarg};
        if (result == -1) return;
    }
}

int main(void) {
    for (int round = 0; round < 100000; round++) {
        struct scanned own, machine;
        int argc = 1 + (int)draw(MOST_ARGUMENTS), is_long = (int)draw(2);
        const char *letters = pick(LETTERS);
        memset(&own, 0, sizeof own);
        own.argv[0] = "program";
        for (int k = 1; k < argc; k++) own.argv[k] = (char *)pick(ARGUMENTS);
        machine = own;
        scan(&own, argc, letters, is_long, 1), scan(&machine, argc, letters, is_long, 0);
        if (memcmp(&own, &machine, sizeof own) == 0) continue;
        failures++, printf("\"%s\"%s:", letters, is_long ? " long" : "");
        for (int k = 1; k < argc; k++) printf(" %s", machine.argv[k]);
        printf(": %d calls, not %d\n", own.calls, machine.calls);
    }
    return failures != 0;
}
