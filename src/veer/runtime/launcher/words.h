/* What the launcher is told, and how it says that something failed. */
#ifndef LAUNCHER_WORDS_H
#define LAUNCHER_WORDS_H

enum { NOT_STARTED = 127, MOST_PATHS = 512 };

/* Who is confined decides what becomes of a refused system call: a campaign's executor hears of it, and ends its run; the process of
   a replayed test ends; a tool (a JVM, an emulator) gets an error. */
enum role { EXECUTOR, REPLAY, TOOL };

/* Numbers are text, "" = no such limit. */
struct orders {
    const char *parent, *processor, *memory, *file, *processes;
    int is_confined;
    enum role role;
    int has_sockets; /* of the Internet: it may use the network */
    int has_files, has_filter, has_mounts, has_processes; /* what the kernel grants, as `launcher probe` told, and is asked for */
    const char *read[MOST_PATHS], *write[MOST_PATHS];
    unsigned read_count, write_count;
    char **command; /* ends with NULL */
};

/* Says what failed, and ends. */
_Noreturn void not_started(const char *what);
#endif
