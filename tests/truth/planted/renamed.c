// bug: undefined: a string goes on behind the end of its array: a name is as long as its array, and NUL lands in the number
#include <string.h>

struct user {
    char name[4];
    int number;
};

static int fits(const char *name) {
#ifdef MENDED
    return strlen(name) < sizeof((struct user *)0)->name;
#else
    return strlen(name) <= sizeof((struct user *)0)->name;
#endif
}

int renamed(const char *name) {
    struct user user = {"", 7};
    if (!name || !fits(name)) return -1;
    strcpy(user.name, name);
    return user.number;
}
