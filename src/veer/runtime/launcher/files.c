/* Landlock: what is not named can neither be read nor written. No rule lets a file be made but below `write`, and none a device be
   told anything. From its sixth version on it keeps signals and abstract sockets within, too. */
#define _GNU_SOURCE
#include "files.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* linux/landlock.h */
enum { CREATE = 444, ADD_RULE = 445, RESTRICT = 446, ASKS_VERSION = 1, PATH_BENEATH = 1 };
enum { EXECUTE = 1, WRITE_FILE = 2, READ_FILE = 4, READ_DIR = 8, TRUNCATE = 1 << 14, DEVICE = 1 << 15 };
enum { OF_VERSION_1 = (1 << 13) - 1, REFER = 1 << 13, ALL_NETWORK = 3, ALL_SCOPES = 3 };
struct ruleset {
    uint64_t files, network, scopes;
};
struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

int landlock_version(void) {
    long version = syscall(CREATE, NULL, 0, ASKS_VERSION);
    return version < 0 ? 0 : (int)version;
}

static uint64_t handled_by(int version) {
    uint64_t all = OF_VERSION_1;
    if (version >= 2) all |= REFER;
    if (version >= 3) all |= TRUNCATE;
    if (version >= 5) all |= DEVICE;
    return all;
}

/* A path that is not there needs no rule. */
static void allow(int rules, const char *path, uint64_t allowed) {
    struct stat status;
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return;
    if (fstat(place, &status) == 0 && !S_ISDIR(status.st_mode)) allowed &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE;
    struct path_rule rule = {allowed, place};
    if (syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0) != 0) not_started("a rule of Landlock cannot be added");
    close(place);
}

void confine_files(const struct orders *orders) {
    int version = landlock_version();
    uint64_t all = handled_by(version), reading = EXECUTE | READ_FILE | READ_DIR;
    struct ruleset handled = {all, version >= 4 && !orders->has_sockets ? ALL_NETWORK : 0, version >= 6 ? ALL_SCOPES : 0};
    size_t size = version >= 6 ? sizeof handled : version >= 4 ? offsetof(struct ruleset, scopes) : offsetof(struct ruleset, network);
    int rules = (int)syscall(CREATE, &handled, size, 0);
    if (rules < 0) not_started("there are no rules of Landlock");
    for (unsigned k = 0; k < orders->read_count; k++) allow(rules, orders->read[k], reading);
    for (unsigned k = 0; k < orders->write_count; k++) allow(rules, orders->write[k], all & ~(uint64_t)DEVICE & ~(uint64_t)REFER);
    allow(rules, "/dev/null", READ_FILE | WRITE_FILE);
    allow(rules, "/proc/self", READ_FILE | READ_DIR);
    if (syscall(RESTRICT, rules, 0) != 0) not_started("the rules of Landlock cannot be put in force");
    close(rules);
}
