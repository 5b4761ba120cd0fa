/* ---- the tests in their order, and what runs them ------------------------------------------------------------- */

static const struct veer_case veer_tests[] = {
{%- for case in tests %}
    { {{ case.number }}, "{{ case.name }}", VEER_NAMED({{ case.function }}), {{ case.expected }}, {{ case.exit_code }}, "", {{ case.printed }}, {{ case.printed_size }} },
{%- endfor %}
    { 0, NULL, NULL, NULL, VEER_RETURNS, 0, "", NULL, 0 },
};

/* These inputs show bugs: they are expected to fail, and run only when they are named. */
static const struct veer_case veer_bugs[] = {
{%- for case in bugs %}
    { {{ case.number }}, "{{ case.name }}", VEER_NAMED({{ case.function }}), VEER_FAILS, 0, {{ case.note }}, NULL, 0 },
{%- endfor %}
    { 0, NULL, NULL, NULL, VEER_FAILS, 0, "", NULL, 0 },
};

{% set arguments = "int argc, char **argv" -%}
{% include "main_head.c" -%}
{
    return veer_suite(argc, argv, veer_tests, veer_bugs);
}
