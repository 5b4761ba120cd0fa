{% if is_any -%}
#include "{{ header }}"
{% endif -%}
{{ unit }}
{%- if is_any %}

#ifdef VEER_WATCH
#pragma veer_watch off

/* ---- monitors: at each event they ask what must hold of it --------------------------------------------------- */

static void veer_specification_event(const char *, unsigned, long, long, long, long);
static void veer_specification_check(int, const char *);
__attribute__((__unused__)) static void veer_specification_full(void);

{{ monitor }}
#else
#define VEER_NOTE "specifications are not checked by this build; the head of the test file says how they are"
{%- if has_end %}
#define veer_watch_end() ((void)0)
{%- endif %}
#endif
{%- elif has_end %}
#define veer_watch_end() ((void)0)
{%- endif %}
{%- for line in left_out %}
/* Not checked here: {{ line }} */
{%- endfor %}
