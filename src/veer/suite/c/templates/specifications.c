/* ---- specifications ------------------------------------------------------------------------------------------ */

enum { VEER_EVENTS = 16 };

static struct { const char *text; unsigned count; long values[4]; } veer_events[VEER_EVENTS]; /* the last ones of the test */
static unsigned veer_event_count;

VEER_UNUSED static void veer_specification_event(const char *text, unsigned count, long first, long second, long third, long fourth)
{
    unsigned at = veer_event_count++ % VEER_EVENTS;
    veer_events[at].text = text;
    veer_events[at].count = count;
    veer_events[at].values[0] = first;
    veer_events[at].values[1] = second;
    veer_events[at].values[2] = third;
    veer_events[at].values[3] = fourth;
}

VEER_UNUSED static void veer_specification_check(int holds, const char *what)
{
    unsigned at, k;
    if (holds)
        return;
    libc_dprintf(veer_output, "# %s is violated, behind the events:", what);
    for (at = veer_event_count < VEER_EVENTS ? 0 : veer_event_count - VEER_EVENTS; at < veer_event_count; at++) {
        libc_dprintf(veer_output, "%s %s(", at > 0 ? "," : "", veer_events[at % VEER_EVENTS].text);
        for (k = 0; k < veer_events[at % VEER_EVENTS].count; k++)
            libc_dprintf(veer_output, "%s%ld", k > 0 ? ", " : "", veer_events[at % VEER_EVENTS].values[k]);
        libc_dprintf(veer_output, ")");
    }
    libc_dprintf(veer_output, "\n");
    libc_abort();
}

VEER_UNUSED static void veer_specification_full(void)
{
    libc_dprintf(veer_output, "# a specification has more values of a name than are followed\n");
    libc_abort();
}

extern const char *veer_watch_unseen(void);

/* A monitor that hears of nothing would find nothing wrong. */
__attribute__((__constructor__)) static void veer_look_for_events(void)
{
    const char *name = veer_watch_unseen();
    if (name == NULL)
        return;
    libc_dprintf(2, "veer_watch.c found no definition of %s: the monitors would not hear of it\n", name);
    libc_abort();
}
