/* getopt and getopt_long as glibc has them, permutation of the arguments included: the machine's would fix argv and remember its place
   from run to run. What they write to standard error is seen by nobody here, and is left out. POSIXLY_CORRECT is not asked for. */
#include <getopt.h>
#include <stddef.h>

#include "libc.h"

enum order { PERMUTE, RETURN_IN_ORDER, REQUIRE_ORDER };

/* The library's own names; a program that brings its own getopt may have its own. */
__attribute__((weak)) char *optarg;
__attribute__((weak)) int optind = 1, opterr = 1, optopt = '?';

static struct {
    char *rest; /* of a group of letters */
    int first, last; /* the arguments [first, last) were passed over, as they are no options */
    enum order order;
    int letter; /* what optopt becomes behind each call, whatever the program wrote there */
    int is_begun;
} scan;

/* The arguments that were passed over go behind the options that followed them. */
static void exchange(char **argv) {
    int passed = scan.last - scan.first, options = optind - scan.last;
    for (int k = 0; k < options; k++) {
        char *option = argv[scan.last + k];
        for (int i = scan.last + k; i > scan.first + k; i--) argv[i] = argv[i - 1];
        argv[scan.first + k] = option;
    }
    scan.first = optind - passed;
    scan.last = optind;
}

static void begin(const char *letters) {
    if (optind == 0) optind = 1;
    scan.first = scan.last = optind;
    scan.rest = NULL;
    scan.order = letters[0] == '-' ? RETURN_IN_ORDER : letters[0] == '+' ? REQUIRE_ORDER : PERMUTE;
    scan.is_begun = 1;
}

static int is_no_option(const char *argument) { return argument[0] != '-' || argument[1] == 0; }

/* Passes over what is no option and over "--"; afterwards optind is the next option, another argument, or argc: the end. */
static void pass(int argc, char **argv) {
    if (scan.last > optind) scan.last = optind;
    if (scan.first > optind) scan.first = optind;
    if (scan.order == PERMUTE) {
        if (scan.first != scan.last && scan.last != optind) exchange(argv);
        else if (scan.last != optind) scan.first = optind;
        while (optind < argc && is_no_option(argv[optind])) optind++;
        scan.last = optind;
    }
    if (optind == argc || veer_libc_strcmp(argv[optind], "--") != 0) return;
    optind++;
    if (scan.first != scan.last && scan.last != optind) exchange(argv);
    else if (scan.first == scan.last) scan.first = optind;
    scan.last = argc;
    optind = argc;
}

static int starts_with(const char *name, const char *text, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (name[k] != text[k]) return 0;
    return 1;
}

/* The option that `text` names in full, or the only one that begins so (those that mean the same count once); -1: none, or several. */
static int find_long(const struct option *options, const char *text, size_t n) {
    int found = -1;
    for (int k = 0; options[k].name; k++)
        if (veer_libc_strlen(options[k].name) == n && starts_with(options[k].name, text, n)) return k;
    for (int k = 0; options[k].name; k++) {
        if (veer_libc_strlen(options[k].name) < n || !starts_with(options[k].name, text, n)) continue;
        const struct option *one = &options[found < 0 ? k : found], *other = &options[k];
        if (one->has_arg != other->has_arg || one->flag != other->flag || one->val != other->val) return -1;
        if (found < 0) found = k;
    }
    return found;
}

static int take_long(int argc, char **argv, const char *letters, const struct option *options, int *index) {
    char *text = argv[optind++] + 2, *end = text;
    while (*end && *end != '=') end++;
    int found = find_long(options, text, (size_t)(end - text));
    if (found < 0) {
        scan.letter = 0;
        return '?';
    }
    const struct option *option = &options[found];
    if (*end ? !option->has_arg : option->has_arg == required_argument && optind >= argc) {
        scan.letter = option->val;
        return !*end && letters[0] == ':' ? ':' : '?';
    }
    if (*end) optarg = end + 1;
    else if (option->has_arg == required_argument) optarg = argv[optind++];
    if (index) *index = found;
    if (!option->flag) return option->val;
    *option->flag = option->val;
    return 0;
}

static int take_letter(int argc, char **argv, const char *letters) {
    char c = *scan.rest++;
    const char *place = veer_libc_strchr(letters, c);
    if (*scan.rest == 0) optind++;
    if (!place || c == ':' || c == ';') {
        scan.letter = c;
        return '?';
    }
    if (place[1] != ':') return c;
    if (*scan.rest) {
        optarg = scan.rest;
        optind++;
    } else if (place[2] != ':') {
        if (optind == argc) {
            scan.letter = c;
            c = letters[0] == ':' ? ':' : '?';
        } else optarg = argv[optind++];
    }
    scan.rest = NULL;
    return c;
}

static int next(int argc, char **argv, const char *letters, const struct option *options, int *index) {
    if (argc < 1) return -1;
    optarg = NULL;
    if (optind == 0 || !scan.is_begun) begin(letters);
    if (letters[0] == '-' || letters[0] == '+') letters++;
    if (!scan.rest || !*scan.rest) {
        pass(argc, argv);
        if (optind == argc) {
            if (scan.first != scan.last) optind = scan.first;
            return -1;
        }
        if (is_no_option(argv[optind])) {
            if (scan.order == REQUIRE_ORDER) return -1;
            optarg = argv[optind++];
            return 1;
        }
        if (options && argv[optind][1] == '-') {
            scan.rest = NULL;
            return take_long(argc, argv, letters, options, index);
        }
        scan.rest = argv[optind] + 1;
    }
    return take_letter(argc, argv, letters);
}

int veer_libc_getopt_long(int argc, char *const *argv, const char *letters, const struct option *options, int *index) {
    int found = next(argc, (char **)argv, letters, options, index);
    optopt = scan.letter;
    return found;
}

int veer_libc_getopt(int argc, char *const *argv, const char *letters) { return veer_libc_getopt_long(argc, argv, letters, NULL, NULL); }
