/* Capabilities are given up, of root, too, and no program gives any back: files of root's stay root's, and can be read. */
#define _GNU_SOURCE
#include "privileges.h"

#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "words.h"

enum { VERSION = 0x20080522, LAST_CAPABILITY = 63, CLEAR_AMBIENT = 4 };

void give_up_privileges(void) {
    struct {
        uint32_t version;
        int process;
    } head = {VERSION, 0};
    struct {
        uint32_t effective, permitted, inheritable;
    } none[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int capability = 0; capability <= LAST_CAPABILITY; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0); /* an ordinary user has none to drop */
    prctl(PR_CAP_AMBIENT, CLEAR_AMBIENT, 0, 0, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) not_started("new privileges cannot be forbidden");
    if (syscall(SYS_capset, &head, none) != 0) not_started("privileges cannot be given up");
}
