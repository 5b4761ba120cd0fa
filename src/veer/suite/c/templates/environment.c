
/* ---- what the C library answers in the recorded run ----------------------------------------------------------- */

/* Until a test has its inputs these functions are the machine's: a framework asks for the time, too. */
extern void *libc_dlsym(void *, const char *) __asm__("dlsym");
struct veer_moment { long seconds, fraction; };
enum { VEER_NAMES = 32, VEER_LENGTH = 128 };
static struct { char name[VEER_LENGTH]; char *value; } veer_known[VEER_NAMES + 1];
static unsigned int veer_known_count, veer_is_cleared;

/* The C library's own function of that name, which comes behind the executable. */
VEER_UNUSED static void *veer_machines(const char *name) { return libc_dlsym((void *)-1, name); }

/* Clocks of a test that has no inputs of theirs go on by themselves, as in the recorded run: by what is slept, time() by a second at
   each look, the others by a millisecond. */
static unsigned long veer_passed; /* milliseconds */

VEER_UNUSED static int veer_clock_tells(void)
{
    unsigned long i;
    for (i = 0; i < veer_input_count; i++)
        if (libc_strcmp(veer_inputs[i].name, "time()") == 0 || libc_strcmp(veer_inputs[i].name, "gettimeofday()") == 0 ||
            libc_strcmp(veer_inputs[i].name, "clock_gettime()") == 0 || libc_strcmp(veer_inputs[i].name, "clock()") == 0)
            return 0;
    return 1;
}

VEER_UNUSED static void veer_tell(struct veer_moment *where, unsigned long parts)
{
    veer_passed++;
    where->seconds = (long)(1000000000 + veer_passed / 1000);
    where->fraction = (long)(veer_passed % 1000 * (parts / 1000));
}

VEER_UNUSED static long veer_answer_time(long *where)
{
    long now;
    if (!veer_is_fed)
        return ((long (*)(long *))veer_machines("time"))(where);
    if (veer_clock_tells()) {
        veer_passed += 1000;
        now = (long)(1000000000 + veer_passed / 1000);
    } else {
        veer_take(&now, sizeof now, "time()");
    }
    if (where != NULL)
        *where = now;
    return now;
}

VEER_UNUSED static int veer_answer_gettimeofday(struct veer_moment *where, int *zone)
{
    if (!veer_is_fed)
        return ((int (*)(void *, void *))veer_machines("gettimeofday"))(where, zone);
    if (where != NULL && veer_clock_tells())
        veer_tell(where, 1000000);
    else if (where != NULL)
        veer_take(where, sizeof *where, "gettimeofday()");
    if (zone != NULL)
        zone[0] = zone[1] = 0;
    return 0;
}

VEER_UNUSED static int veer_answer_clock_gettime(int clock, struct veer_moment *where)
{
    /* What is no clock is refused by the machine, too. */
    if (!veer_is_fed || clock < 0 || clock == 10 || clock > 11)
        return ((int (*)(int, void *))veer_machines("clock_gettime"))(clock, where);
    if (veer_clock_tells())
        veer_tell(where, 1000000000);
    else
        veer_take(where, sizeof *where, "clock_gettime()");
    return 0;
}

VEER_UNUSED static long veer_answer_clock(void)
{
    long now;
    if (!veer_is_fed)
        return ((long (*)(void))veer_machines("clock"))();
    if (veer_clock_tells()) {
        veer_passed++;
        return (long)(veer_passed * 1000);
    }
    veer_take(&now, sizeof now, "clock()");
    return now;
}

VEER_UNUSED static unsigned int veer_answer_sleep(unsigned int seconds)
{
    if (!veer_is_fed)
        return ((unsigned int (*)(unsigned int))veer_machines("sleep"))(seconds);
    veer_passed += 1000ul * seconds;
    return 0;
}

VEER_UNUSED static int veer_answer_usleep(unsigned int microseconds)
{
    if (!veer_is_fed)
        return ((int (*)(unsigned int))veer_machines("usleep"))(microseconds);
    veer_passed += microseconds / 1000;
    return 0;
}

VEER_UNUSED static int veer_answer_nanosleep(const struct veer_moment *wanted, struct veer_moment *left)
{
    /* What is no time is refused by the machine, too. */
    if (!veer_is_fed || wanted->seconds < 0 || wanted->fraction < 0 || wanted->fraction > 999999999)
        return ((int (*)(const void *, void *))veer_machines("nanosleep"))(wanted, left);
    veer_passed += (unsigned long)wanted->seconds * 1000 + (unsigned long)wanted->fraction / 1000000;
    return 0;
}

VEER_UNUSED static long veer_answer_long(const char *name, const char *input)
{
    long answer;
    if (!veer_is_fed)
        return ((long (*)(void))veer_machines(name))();
    veer_take(&answer, sizeof answer, input);
    return answer;
}

/* The input getenv("NAME"); getenv() where the name was an input itself. */
VEER_UNUSED static void veer_take_variable(char **value, const char *name)
{
    char root[VEER_LENGTH + 12] = "getenv(\"";
    unsigned long i, length = libc_strlen(root), size = libc_strlen(name);
    __builtin_memcpy(root + length, name, size);
    __builtin_memcpy(root + length + size, "\")", 3);
    for (i = 0; i < veer_input_count; i++) {
        if (!veer_taken[i] && libc_strcmp(veer_inputs[i].name, root) == 0) {
            veer_take(value, sizeof *value, root);
            return;
        }
    }
    veer_take(value, sizeof *value, "getenv()");
}

VEER_UNUSED static unsigned int veer_find_variable(const char *name)
{
    unsigned int i = 0;
    while (i < veer_known_count && libc_strcmp(veer_known[i].name, name) != 0)
        i++;
    return i;
}

VEER_UNUSED static unsigned int veer_add_variable(const char *name)
{
    unsigned int i = veer_known_count < VEER_NAMES ? veer_known_count++ : VEER_NAMES, length = 0;
    for (; length < VEER_LENGTH - 1 && name[length] != 0; length++)
        veer_known[i].name[length] = name[length];
    veer_known[i].name[length] = 0;
    veer_known[i].value = NULL;
    return i;
}

VEER_UNUSED static char *veer_answer_getenv(const char *name)
{
    unsigned int i;
    if (!veer_is_fed)
        return ((char *(*)(const char *))veer_machines("getenv"))(name);
    i = veer_find_variable(name);
    if (i == veer_known_count && veer_is_cleared)
        return NULL;
    if (i == veer_known_count) {
        i = veer_add_variable(name);
        veer_take_variable(&veer_known[i].value, veer_known[i].name);
    }
    return veer_known[i].value;
}

/* What the test sets hides the input. */
VEER_UNUSED static void veer_set_variable(const char *name, char *value)
{
    unsigned int i = veer_find_variable(name);
    if (i == veer_known_count)
        i = veer_add_variable(name);
    veer_known[i].value = value;
}

VEER_UNUSED static int veer_is_variable(const char *name)
{
    unsigned long i = 0;
    for (; name != NULL && name[i] != 0; i++) {
        if (name[i] == '=')
            return 0;
    }
    return i != 0;
}

VEER_UNUSED static int veer_answer_setenv(const char *name, const char *value, int overwrite)
{
    unsigned long size;
    char *copy;
    /* What is no name is refused by the machine, too. */
    if (!veer_is_fed || !veer_is_variable(name))
        return ((int (*)(const char *, const char *, int))veer_machines("setenv"))(name, value, overwrite);
    if (!overwrite && veer_answer_getenv(name) != NULL)
        return 0;
    size = libc_strlen(value) + 1;
    copy = libc_malloc(size);
    __builtin_memcpy(copy, value, size);
    veer_set_variable(name, copy);
    return 0;
}

VEER_UNUSED static int veer_answer_unsetenv(const char *name)
{
    if (!veer_is_fed || !veer_is_variable(name))
        return ((int (*)(const char *))veer_machines("unsetenv"))(name);
    veer_set_variable(name, NULL);
    return 0;
}

VEER_UNUSED static int veer_answer_putenv(char *text)
{
    char name[VEER_LENGTH];
    unsigned int length = 0;
    if (!veer_is_fed)
        return ((int (*)(char *))veer_machines("putenv"))(text);
    for (; length < VEER_LENGTH - 1 && text[length] != 0 && text[length] != '='; length++)
        name[length] = text[length];
    name[length] = 0;
    if (text[length] == 0)
        return veer_answer_unsetenv(name);
    veer_set_variable(name, text + length + 1);
    return 0;
}

VEER_UNUSED static int veer_answer_clearenv(void)
{
    if (!veer_is_fed)
        return ((int (*)(void))veer_machines("clearenv"))();
    veer_known_count = 0;
    veer_is_cleared = 1;
    return 0;
}
