/* ---- the tests in their order, and what runs them ------------------------------------------------------------- */

static const struct veer_case veer_cases[] = {
{%- for test in tests %}
    { "{{ test.function }}", {{ test.function }}, __LINE__, {{ -1 if test.exit_code is none else test.exit_code }} },
{%- endfor %}
    { NULL, NULL, 0, -1 },
};
{% if title == "Unity" %}
{%- include "unity_fixtures.c" %}{% endif %}
{% set arguments = "void" -%}
{% include "main_head.c" -%}
{
    return veer_run_all(veer_cases, "{{ file }}.c") != 0;
}
