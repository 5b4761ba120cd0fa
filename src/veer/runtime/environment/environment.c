/* Functions of the C library whose answers --inputs makes inputs. Behind the declarations and types that frontends/c/environment.py
   writes; the unit's calls of `time` come to veer_input_time. Their twins in suites: suite/templates/environment.c. */

struct veer_e_moment { long seconds, fraction; };
enum { VEER_E_INVALID = 22, VEER_E_NANO_MOST = 999999999 };
extern int *veer_e_errno(void) __asm__("__errno_location");
extern void *veer_e_allocate(unsigned long) __asm__("malloc");
extern void veer_e_refuse(const char *) __asm__("veer_refuse");
extern __UINT32_TYPE__ veer_e_is_symbolic(__UINT64_TYPE__) __asm__("veer_is_symbolic");

/* Clocks that --inputs does not name go on by themselves until a search makes them inputs (docs/decisions/0434): time() by a second at each
   look, the others by a millisecond, and by what the unit sleeps. So a run is the same each time, and waiting ends. */
enum { VEER_E_BEGIN = 1000000000, VEER_E_MILLI = 1000, VEER_E_MICRO = 1000000 };
static unsigned long veer_e_passed; /* milliseconds since the program began */

static int veer_e_tells(int is_named) { return !is_named && !veer_h_clocks(); }

static struct veer_e_moment veer_e_moment(unsigned long parts) {
    veer_e_passed++;
    return (struct veer_e_moment){(long)(VEER_E_BEGIN + veer_e_passed / VEER_E_MILLI), (long)(veer_e_passed % VEER_E_MILLI * (parts / VEER_E_MILLI))};
}

long veer_input_time(long *where) {
    long now = 0;
    if (veer_e_tells(VEER_E_IS_NAMED_time)) now = (long)(VEER_E_BEGIN + (veer_e_passed += VEER_E_MILLI) / VEER_E_MILLI);
    else veer_h_make(&now, &VEER_E_SECONDS, "time()");
    if (where) *where = now;
    return now;
}

int veer_input_gettimeofday(struct veer_e_moment *where, int zone[2]) {
    if (where && veer_e_tells(VEER_E_IS_NAMED_gettimeofday)) *where = veer_e_moment(VEER_E_MICRO);
    else if (where) veer_h_make(where, &VEER_E_MICROSECONDS, "gettimeofday()");
    if (zone) zone[0] = zone[1] = 0;
    return 0;
}

unsigned veer_input_sleep(unsigned seconds) {
    veer_e_passed += (unsigned long)VEER_E_MILLI * seconds;
    return 0;
}

int veer_input_usleep(unsigned microseconds) {
    veer_e_passed += microseconds / VEER_E_MILLI;
    return 0;
}

int veer_input_nanosleep(const struct veer_e_moment *wanted, struct veer_e_moment *left) {
    (void)left;
    if ((wanted->seconds < 0) | (wanted->fraction < 0) | (wanted->fraction > VEER_E_NANO_MOST)) {
        *veer_e_errno() = VEER_E_INVALID;
        return -1;
    }
    veer_e_passed += (unsigned long)wanted->seconds * VEER_E_MILLI + (unsigned long)wanted->fraction / VEER_E_MICRO;
    return 0;
}

/* Only the wall clock may be set back: what others answer, no machine contradicts. */
static struct veer_e_moment veer_e_last[12];
static long veer_e_last_clock;
enum { VEER_E_WALL = 0, VEER_E_WALL_COARSE = 5, VEER_E_NO_CLOCK = 10, VEER_E_TAI = 11 };

int veer_input_clock_gettime(int clock, struct veer_e_moment *where) {
    if (clock < 0 || clock == VEER_E_NO_CLOCK || clock > VEER_E_TAI) {
        *veer_e_errno() = VEER_E_INVALID;
        return -1;
    }
    if (veer_e_tells(VEER_E_IS_NAMED_clock_gettime)) {
        *where = veer_e_moment(VEER_E_NANO_MOST + 1ul);
        return 0;
    }
    struct veer_e_moment now = {0, 0}, *last = &veer_e_last[clock];
    veer_h_make(&now, &VEER_E_NANOSECONDS, "clock_gettime()");
    int is_wall = (clock == VEER_E_WALL) | (clock == VEER_E_WALL_COARSE) | (clock == VEER_E_TAI);
    int is_later = (now.seconds > last->seconds) | ((now.seconds == last->seconds) & (now.fraction >= last->fraction));
    veer_h_assume(is_wall | is_later);
    *last = *where = now;
    return 0;
}

long veer_input_clock(void) {
    long now = 0;
    if (veer_e_tells(VEER_E_IS_NAMED_clock)) return (long)(++veer_e_passed * (VEER_E_MICRO / VEER_E_MILLI));
    veer_h_make(&now, &VEER_E_CLOCK, "clock()");
    veer_h_assume(now >= veer_e_last_clock);
    return veer_e_last_clock = now;
}

int veer_input_rand(void) {
    int drawn = 0;
    veer_h_make(&drawn, &VEER_E_RAND, "rand()");
    return drawn;
}

long veer_input_random(void) {
    long drawn = 0;
    veer_h_make(&drawn, &VEER_E_RANDOM, "random()");
    return drawn;
}

/* Environment variables: one value a name in a run, NULL or a string. Its root is getenv("HOME"), where the name is no input itself;
   else getenv(), and the order of such calls tells which. Of a name's characters 127 count; behind 32 names each call has a value of
   its own. */
enum { VEER_E_NAMES = 32, VEER_E_LENGTH = 128 };
static struct { char root[VEER_E_LENGTH + 12], name[VEER_E_LENGTH], *value; } veer_e_known[VEER_E_NAMES + 1];
static unsigned veer_e_count, veer_e_is_cleared;
enum { VEER_E_UNKNOWN = ~0u >> 1 };

static int veer_e_same(const char *known, const char *name) {
    unsigned k = 0;
    while (known[k] && known[k] == name[k]) k++;
    return known[k] == name[k];
}

static void veer_e_name_root(char *root, const char *name) {
    static const char begin[] = "getenv(";
    unsigned is_input = 0, length = 0;
    for (unsigned k = 0; name[k]; k++) is_input |= veer_e_is_symbolic((unsigned char)name[k]);
    for (unsigned k = 0; begin[k]; k++) root[length++] = begin[k];
    if (!is_input) {
        root[length++] = '"';
        for (unsigned k = 0; name[k]; k++) root[length++] = name[k];
        root[length++] = '"';
    }
    root[length++] = ')';
    root[length] = 0;
}

/* The slot of a name, VEER_E_UNKNOWN when the run has not met it. */
static unsigned veer_e_find(const char *name) {
    for (unsigned k = 0; k < veer_e_count; k++)
        if (veer_e_same(veer_e_known[k].name, name)) return k;
    return VEER_E_UNKNOWN;
}

/* A slot for a name that is unknown. */
static unsigned veer_e_add(const char *name) {
    unsigned slot = veer_e_count < VEER_E_NAMES ? veer_e_count++ : VEER_E_NAMES, length = 0;
    for (; length < VEER_E_LENGTH - 1 && name[length]; length++) veer_e_known[slot].name[length] = name[length];
    veer_e_known[slot].name[length] = 0;
    veer_e_known[slot].value = 0;
    return slot;
}

char *veer_input_getenv(const char *name) {
    unsigned slot = veer_e_find(name);
    if (slot != VEER_E_UNKNOWN) return veer_e_known[slot].value;
    if (veer_e_is_cleared) return 0;
    slot = veer_e_add(name);
    veer_e_name_root(veer_e_known[slot].root, veer_e_known[slot].name);
    veer_h_make(&veer_e_known[slot].value, VEER_E_STRINGS[slot < VEER_E_TYPES ? slot : VEER_E_TYPES - 1], veer_e_known[slot].root);
    return veer_e_known[slot].value;
}

char *veer_input_secure_getenv(const char *name) { return veer_input_getenv(name); }

/* What the run sets hides the input, and is found as the C library finds it. A run that sets more names than there are slots ends. */

/* The C library keeps what it has copied: a program may still point to it. */
enum { VEER_E_COPIES = 256 };
static char *veer_e_copies[VEER_E_COPIES];
static unsigned veer_e_copy_count;

static char *veer_e_copy(const char *text) {
    unsigned long size = 1;
    while (text[size - 1]) size++;
    char *made = veer_e_allocate(size);
    if (veer_e_copy_count == VEER_E_COPIES) veer_e_refuse("more than 256 calls of setenv");
    veer_e_copies[veer_e_copy_count++] = made;
    for (unsigned long k = 0; k < size; k++) made[k] = text[k];
    return made;
}

/* The length of a name; 0 = none, or what cannot be one: it holds a '='. */
static unsigned long veer_e_name(const char *name) {
    unsigned long length = 0;
    if (!name) return 0;
    for (; name[length]; length++)
        if (name[length] == '=') return 0;
    return length;
}

static unsigned veer_e_own(const char *name) {
    unsigned slot = veer_e_find(name);
    if (slot == VEER_E_UNKNOWN) slot = veer_e_add(name);
    if (slot == VEER_E_NAMES) veer_e_refuse("more than 32 environment variables that are set");
    return slot;
}

static int veer_e_invalid(void) {
    *veer_e_errno() = VEER_E_INVALID;
    return -1;
}

int veer_input_setenv(const char *name, const char *value, int overwrite) {
    unsigned long length = veer_e_name(name);
    if (!length) return veer_e_invalid();
    if (length >= VEER_E_LENGTH) veer_e_refuse("an environment variable whose name has 128 characters or more");
    if (!overwrite && veer_input_getenv(name)) return 0;
    char *made = veer_e_copy(value);
    veer_e_known[veer_e_own(name)].value = made;
    return 0;
}

int veer_input_unsetenv(const char *name) {
    if (!veer_e_name(name)) return veer_e_invalid();
    veer_e_known[veer_e_own(name)].value = 0;
    return 0;
}

int veer_input_putenv(char *text) {
    char name[VEER_E_LENGTH];
    unsigned length = 0;
    for (; text[length] && text[length] != '='; length++) {
        if (length == VEER_E_LENGTH - 1) veer_e_refuse("an environment variable whose name has 128 characters or more");
        name[length] = text[length];
    }
    name[length] = 0;
    if (!text[length]) return veer_input_unsetenv(name);
    veer_e_known[veer_e_own(name)].value = text + length + 1;
    return 0;
}

int veer_input_clearenv(void) {
    for (unsigned k = 0; k < veer_e_count; k++) veer_e_known[k].value = 0;
    veer_e_is_cleared = 1;
    return 0;
}
