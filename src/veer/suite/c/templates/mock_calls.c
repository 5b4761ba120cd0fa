
/* ---- what functions that are defined nowhere were given -------------------------------------------------------- */
{% for mock, fields in mocks.items() %}
static struct {
    unsigned long count;
{%- if fields %}
    struct {
{%- for field in fields %}
        {{ field }};
{%- endfor %}
    } call[VEER_LOOKED_AT + 1];
{%- endif %}
} {{ mock }};
{% endfor %}{%- if is_forgetting %}

/* Behind calls that bring static data to what a test needs: what these call is not compared. */
VEER_UNUSED static void veer_forget_calls(void)
{
    veer_call_count = 0;
{%- for mock in mocks %}
    __builtin_memset(&{{ mock }}, 0, sizeof {{ mock }});
{%- endfor %}
}
{%- endif %}
