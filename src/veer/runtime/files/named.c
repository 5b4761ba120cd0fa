/* The files of a test on the plain build: names are a table here, what they stand for are files in memory of the kernel's, so that neither
   is a file of the machine seen nor is one left. All else (descriptors, pipes, streams) is the machine's own. In the campaign runtime/libc
   stands in for both. Included by suites behind any source: it needs no header, and its names clash with nobody's. */

extern long veer_k_syscall(long, ...) __asm__("syscall");
extern int veer_k_memfd(const char *, unsigned int) __asm__("memfd_create");
extern int veer_k_fcntl(int, int, ...) __asm__("fcntl");
extern int veer_k_fchmod(int, unsigned int) __asm__("fchmod");
extern int veer_k_ftruncate(int, long) __asm__("ftruncate");
extern int veer_k_close(int) __asm__("close");
extern int veer_k_dup2(int, int) __asm__("dup2");
extern long veer_k_write(int, const void *, unsigned long) __asm__("write");
extern long veer_k_lseek(int, long, int) __asm__("lseek");
extern void *veer_k_fopen(const char *, const char *) __asm__("_IO_fopen");
extern void *veer_k_fdopen(int, const char *) __asm__("fdopen");
extern void *veer_k_freopen(const char *, const char *, void *) __asm__("freopen64");
extern int *veer_k_errno(void) __asm__("__errno_location");
extern int veer_k_snprintf(char *, unsigned long, const char *, ...) __asm__("snprintf");
extern int veer_k_strcmp(const char *, const char *) __asm__("strcmp");
extern char *veer_k_strdup(const char *) __asm__("strdup");
extern void veer_k_free(void *) __asm__("free");
extern void veer_k_abort(void) __asm__("abort");
extern int veer_k_atexit(void (*)(void *), void *, void *) __asm__("__cxa_atexit");

enum { VEER_K_NAMES = 64, VEER_K_FIRST = 200, VEER_K_PLACE = 40, VEER_K_NONE = -1, VEER_K_FOLDER = -2, VEER_K_NEXT = 16 };
enum { VEER_K_ENOENT = 2, VEER_K_EACCES = 13, VEER_K_EFAULT = 14, VEER_K_EEXIST = 17, VEER_K_ENOTDIR = 20, VEER_K_EINVAL = 22 };
enum { VEER_K_CREATES = 0100, VEER_K_IS_NEW = 0200, VEER_K_CUTS = 01000, VEER_K_ACCESS = 3, VEER_K_WRITES = 1, VEER_K_DUPFD = 1030 };

/* VEER_K_NONE: it is known that there is no file of this name. VEER_K_FOLDER: that it is one. */
static struct { char *text; int memory; } veer_k_names[VEER_K_NAMES];
static struct { const void *bytes; unsigned long size; } veer_k_next[VEER_K_NEXT];
static int veer_k_next_count, veer_k_next_taken;
static int veer_k_is_on;
static unsigned int veer_k_temporary;

static int veer_k_failed(int error)
{
    *veer_k_errno() = error;
    return -1;
}

/* -- names ------------------------------------------------------------------------------------------------------- */

static const char *veer_k_plain(const char *name)
{
    while (name[0] == '.' && name[1] == '/' && name[2] != 0)
        name += 2;
    return name;
}

/* The place of a name; -1 with ENOENT. */
static int veer_k_known(const char *name)
{
    int k;
    if (name == 0)
        return veer_k_failed(VEER_K_EFAULT);
    for (k = 0; k < VEER_K_NAMES; k++)
        if (veer_k_names[k].text != 0 && veer_k_strcmp(veer_k_names[k].text, veer_k_plain(name)) == 0)
            return k;
    return veer_k_failed(VEER_K_ENOENT);
}

/* The same of a name that has a file. */
static int veer_k_find(const char *name)
{
    int k = veer_k_known(name);
    return k < 0 || veer_k_names[k].memory >= 0 ? k : veer_k_failed(VEER_K_ENOENT);
}

/* A file in memory under a high number, so that the test's own descriptors have those that they had. */
static int veer_k_memory(unsigned int mode)
{
    int low = veer_k_memfd("file", 0), high = veer_k_fcntl(low, VEER_K_DUPFD, VEER_K_FIRST);
    if (high < 0 || veer_k_fchmod(high, mode & 0755) != 0)
        veer_k_abort();
    veer_k_close(low);
    return high;
}

/* The place of a name, which may be new. */
static int veer_k_name(const char *name)
{
    int k = veer_k_known(name);
    if (k >= 0)
        return k;
    for (k = 0; k < VEER_K_NAMES && veer_k_names[k].text != 0;)
        k++;
    if (k == VEER_K_NAMES)
        veer_k_abort();
    veer_k_names[k].text = veer_k_strdup(veer_k_plain(name));
    return k;
}

static int veer_k_make(const char *name, unsigned int mode)
{
    int k = veer_k_name(name);
    veer_k_names[k].memory = veer_k_memory(mode);
    return k;
}

/* Where the kernel shows a file in memory, to be opened once more. */
static const char *veer_k_place(int memory, char place[VEER_K_PLACE])
{
    veer_k_snprintf(place, VEER_K_PLACE, "/proc/self/fd/%d", memory);
    return place;
}

static int veer_k_is_nothing(const char *name) { return name != 0 && veer_k_strcmp(name, "/dev/null") == 0; }

static void veer_k_end(void *unused)
{
    (void)unused;
    veer_k_is_on = 0;
}

/* Called by a test before the call: from now on there are these files alone. What ends the process (a coverage tool, too) sees the
   machine's again. */
__attribute__((__unused__)) static void veer_k_begin(void)
{
    if (!veer_k_is_on)
        veer_k_atexit(veer_k_end, 0, 0);
    veer_k_is_on = 1;
}

/* A file that is there from the beginning. */
__attribute__((__unused__)) static void veer_k_file(const char *name, const void *bytes, unsigned long size)
{
    int memory = veer_k_names[veer_k_make(name, 0644)].memory;
    if (veer_k_write(memory, bytes, size) != (long)size)
        veer_k_abort();
}

/* An open file without a name, as a parameter of the test's. */
__attribute__((__unused__)) static int veer_k_descriptor_of(const void *bytes, unsigned long size)
{
    int high = veer_k_memory(0644), low;
    char place[VEER_K_PLACE];
    if (veer_k_write(high, bytes, size) != (long)size)
        veer_k_abort();
    low = (int)veer_k_syscall(2, veer_k_place(high, place), 2, 0);
    veer_k_close(high);
    return low;
}

__attribute__((__unused__)) static void *veer_k_stream_of(const void *bytes, unsigned long size)
{
    return veer_k_fdopen(veer_k_descriptor_of(bytes, size), "r+");
}

/* A name without a file. */
__attribute__((__unused__)) static void veer_k_missing(const char *name) { veer_k_names[veer_k_name(name)].memory = VEER_K_NONE; }

__attribute__((__unused__)) static void veer_k_folder(const char *name) { veer_k_names[veer_k_name(name)].memory = VEER_K_FOLDER; }

/* The file of the next name that the test asks for and that is not known: so files are given whose names are inputs. NULL: there is none. */
__attribute__((__unused__)) static void veer_k_next_file(const void *bytes, unsigned long size)
{
    if (veer_k_next_count == VEER_K_NEXT)
        veer_k_abort();
    veer_k_next[veer_k_next_count].bytes = bytes;
    veer_k_next[veer_k_next_count++].size = size;
}

/* The same for a name that is gone to. */
__attribute__((__unused__)) static void veer_k_next_folder(int is_there) { veer_k_next_file(is_there ? veer_k_next : 0, 0); }

__attribute__((__unused__)) static int veer_k_chdir(const char *name)
{
    int k;
    if (!veer_k_is_on || name == 0)
        return (int)veer_k_syscall(80, name);
    k = veer_k_known(name);
    if (k < 0 && *name != 0 && veer_k_next_taken < veer_k_next_count) {
        k = veer_k_name(name);
        veer_k_names[k].memory = veer_k_next[veer_k_next_taken++].bytes == 0 ? VEER_K_NONE : VEER_K_FOLDER;
    }
    if (k < 0 || veer_k_names[k].memory == VEER_K_NONE)
        return veer_k_failed(VEER_K_ENOENT);
    return veer_k_names[k].memory == VEER_K_FOLDER ? 0 : veer_k_failed(VEER_K_ENOTDIR);
}

/* The place of a name to which it matters whether there is such a file. */
static int veer_k_ask(const char *name)
{
    const void *bytes;
    if (name == 0 || *name == 0 || veer_k_known(name) >= 0 || veer_k_next_taken == veer_k_next_count)
        return veer_k_find(name);
    bytes = veer_k_next[veer_k_next_taken].bytes;
    if (bytes == 0)
        veer_k_missing(name);
    else
        veer_k_file(name, bytes, veer_k_next[veer_k_next_taken].size);
    veer_k_next_taken++;
    return veer_k_find(name);
}

/* What only writes a file, or cuts it, and may make it, does not ask. */
static int veer_k_asks(int flags)
{
    if (!(flags & VEER_K_CREATES) || (flags & VEER_K_IS_NEW))
        return 1;
    return (flags & VEER_K_ACCESS) != VEER_K_WRITES && !(flags & VEER_K_CUTS);
}

/* -- the calls ----------------------------------------------------------------------------------------------------- */

static int veer_k_open_found(const char *name, int found, int flags, unsigned int mode)
{
    char place[VEER_K_PLACE];
    if (found < 0 && (name == 0 || *name == 0 || !(flags & VEER_K_CREATES)))
        return -1;
    if (found >= 0 && (flags & VEER_K_CREATES) && (flags & VEER_K_IS_NEW))
        return veer_k_failed(VEER_K_EEXIST);
    if (found < 0)
        found = veer_k_make(name, mode);
    return (int)veer_k_syscall(2, veer_k_place(veer_k_names[found].memory, place), flags & ~(VEER_K_CREATES | VEER_K_IS_NEW), 0);
}

__attribute__((__unused__)) static int veer_k_open(const char *name, int flags, unsigned int mode)
{
    if (!veer_k_is_on || veer_k_is_nothing(name))
        return (int)veer_k_syscall(2, name, flags, mode);
    return veer_k_open_found(name, veer_k_asks(flags) ? veer_k_ask(name) : veer_k_find(name), flags, mode);
}

/* Directories are not followed: a name in one is what the run knows as that name. */
__attribute__((__unused__)) static int veer_k_open_at(int folder, const char *name, int flags, unsigned int mode)
{
    return veer_k_is_on ? veer_k_open(name, flags, mode) : (int)veer_k_syscall(257, folder, name, flags, mode);
}

/* The path that stands for a name in what fopen is asked for; NULL where there is no such file. */
static const char *veer_k_path(const char *name, const char *mode, char place[VEER_K_PLACE])
{
    int found, is_new = 0, is_both = 0;
    const char *s;
    for (s = mode; *s != 0 && *s != ','; s++) {
        is_new |= *s == 'x';
        is_both |= *s == '+';
    }
    if (veer_k_is_nothing(name) || (mode[0] != 'r' && mode[0] != 'w' && mode[0] != 'a'))
        return name;
    found = mode[0] == 'r' || is_new || (mode[0] == 'a' && is_both) ? veer_k_ask(name) : veer_k_find(name);
    if (found < 0 && (name == 0 || *name == 0 || mode[0] == 'r'))
        return 0;
    if (found >= 0 && is_new && mode[0] != 'r') {
        veer_k_failed(VEER_K_EEXIST);
        return 0;
    }
    if (found < 0)
        found = veer_k_make(name, 0666);
    return veer_k_place(veer_k_names[found].memory, place);
}

/* The mode without x: the file was looked for already. */
static const char *veer_k_mode(const char *mode, char plain[16])
{
    int k = 0;
    for (; *mode != 0 && k < 15; mode++)
        if (*mode != 'x')
            plain[k++] = *mode;
    plain[k] = 0;
    return plain;
}

__attribute__((__unused__)) static void *veer_k_stream(const char *name, const char *mode)
{
    char place[VEER_K_PLACE], plain[16];
    const char *path;
    if (!veer_k_is_on)
        return veer_k_fopen(name, mode);
    path = veer_k_path(name, mode, place);
    return path == 0 ? 0 : veer_k_fopen(path, path == name ? mode : veer_k_mode(mode, plain));
}

__attribute__((__unused__)) static void *veer_k_restream(const char *name, const char *mode, void *stream)
{
    char place[VEER_K_PLACE], plain[16];
    const char *path = name;
    if (veer_k_is_on && name != 0)
        path = veer_k_path(name, mode, place);
    return veer_k_freopen(path == 0 ? "" : path, path == name ? mode : veer_k_mode(mode, plain), stream);
}

__attribute__((__unused__)) static void *veer_k_temporary_stream(void)
{
    int high = veer_k_memory(0600), low;
    char place[VEER_K_PLACE];
    low = (int)veer_k_syscall(2, veer_k_place(high, place), 2, 0);
    veer_k_close(high);
    return veer_k_fdopen(low, "w+");
}

/* Where files without names are still to come, a name that has none any more must not get one of them. */
static void veer_k_forget(int place)
{
    veer_k_names[place].memory = VEER_K_NONE;
    if (veer_k_next_taken < veer_k_next_count)
        return;
    veer_k_free(veer_k_names[place].text);
    veer_k_names[place].text = 0;
}

__attribute__((__unused__)) static int veer_k_unlink(const char *name)
{
    int found;
    if (!veer_k_is_on)
        return (int)veer_k_syscall(87, name);
    found = veer_k_ask(name);
    if (found < 0)
        return -1;
    veer_k_close(veer_k_names[found].memory);
    veer_k_forget(found);
    return 0;
}

__attribute__((__unused__)) static int veer_k_rename(const char *old, const char *new_name)
{
    int from, to, memory;
    if (!veer_k_is_on)
        return (int)veer_k_syscall(82, old, new_name);
    from = veer_k_ask(old);
    if (from < 0)
        return -1;
    if (*new_name == 0)
        return veer_k_failed(VEER_K_ENOENT);
    to = veer_k_find(new_name);
    if (to == from)
        return 0;
    if (to >= 0)
        veer_k_unlink(new_name);
    memory = veer_k_names[from].memory;
    veer_k_forget(from);
    veer_k_names[veer_k_name(new_name)].memory = memory;
    return 0;
}

/* struct stat of x86-64: its third number is how many names there are. */
__attribute__((__unused__)) static int veer_k_stat(const char *name, void *status)
{
    int found;
    if (!veer_k_is_on || veer_k_is_nothing(name))
        return (int)veer_k_syscall(4, name, status);
    found = veer_k_ask(name);
    if (found < 0 || veer_k_syscall(5, veer_k_names[found].memory, status) != 0)
        return -1;
    ((unsigned long *)status)[2] = 1;
    return 0;
}

__attribute__((__unused__)) static int veer_k_access(const char *name, int mode)
{
    unsigned long status[18];
    if (!veer_k_is_on)
        return (int)veer_k_syscall(21, name, mode);
    if (veer_k_stat(name, status) != 0)
        return -1;
    return (mode & 1) && !((unsigned int)status[3] & 0111) ? veer_k_failed(VEER_K_EACCES) : 0;
}

__attribute__((__unused__)) static int veer_k_chmod(const char *name, unsigned int mode)
{
    int found;
    if (!veer_k_is_on)
        return (int)veer_k_syscall(90, name, mode);
    found = veer_k_ask(name);
    return found < 0 ? -1 : veer_k_fchmod(veer_k_names[found].memory, mode & 07777);
}

/* Times and owners are nobody's concern: only whether there is such a file. */
__attribute__((__unused__)) static int veer_k_touch(long call, const char *name, const void *times)
{
    if (!veer_k_is_on)
        return (int)veer_k_syscall(call, name, times);
    return veer_k_ask(name) < 0 ? -1 : 0;
}

__attribute__((__unused__)) static int veer_k_own(long call, const char *name, unsigned int owner, unsigned int group)
{
    if (!veer_k_is_on)
        return (int)veer_k_syscall(call, name, owner, group);
    return veer_k_ask(name) < 0 ? -1 : 0;
}

__attribute__((__unused__)) static int veer_k_truncate(const char *name, long size)
{
    int found;
    if (!veer_k_is_on)
        return (int)veer_k_syscall(76, name, size);
    if (size < 0)
        return veer_k_failed(VEER_K_EINVAL);
    found = veer_k_ask(name);
    return found < 0 ? -1 : veer_k_ftruncate(veer_k_names[found].memory, size);
}

__attribute__((__unused__)) static int veer_k_mkstemp(char *name)
{
    unsigned long length = __builtin_strlen(name), k;
    unsigned int number = veer_k_temporary + 1;
    if (length < 6 || veer_k_strcmp(name + length - 6, "XXXXXX") != 0)
        return veer_k_failed(VEER_K_EINVAL);
    if (!veer_k_is_on)
        number += (unsigned int)veer_k_syscall(39); /* the process's number */
    veer_k_temporary++;
    for (k = 1; k <= 6; k++, number /= 10)
        name[length - k] = (char)('0' + number % 10);
    if (!veer_k_is_on)
        return (int)veer_k_syscall(2, name, 0302, 0600);
    return veer_k_open_found(name, veer_k_find(name), 0302, 0600);
}
