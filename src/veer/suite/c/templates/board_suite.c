/* Tests of {{ entry }} for {{ title }}, written by veer. Each runs one path of the program. Do not edit: veer writes this file anew.
 *
{%- for line in commands %}
 *     {{ line }}
{%- endfor %}
{%- if made_by %}
 *
 * `veer update {{ file }}` makes it again as here, and tells what changed; it leaves lines between `veer: keep` and `veer: end keep` alone.
 *
 *     {{ made_by }}
{%- endif %}
 *
 * All tests run in one process, which has neither files nor other processes. A test that shows a bug runs only if it is asked for.
{%- for line in dependent_lines %}
 * {{ line }}
{%- endfor %}
{%- for line in contract_lines %}
 * {{ line }}
{%- endfor %}
{%- for line in bug_lines %}
 *     {{ line }}
{%- endfor %}
 */
{%- if exits %}

/* These end the test. Other sources are compiled with -Dexit=veer_board_exit. */
extern void veer_board_exit(int) __attribute__((__noreturn__));
#define exit veer_board_exit
#define _exit veer_board_exit
#define _Exit veer_board_exit
{%- endif %}
{{ includes }}

{{ header }}{{ support }}
/* Static data of the unit, and what mocks have counted: each test finds it as the program begins. */
static void veer_static_data(int is_start)
{
{%- for name in statics %}
    static unsigned char first_{{ loop.index }}[sizeof {{ name }}];
{%- endfor %}
{%- for name in statics %}
    veer_set_back(first_{{ loop.index }}, &{{ name }}, sizeof {{ name }}, is_start);
{%- endfor %}
{%- if mocks %}
    veer_call_count = 0;
{%- endif %}
{%- for name in mocks %}
    __builtin_memset(&{{ name }}, 0, sizeof {{ name }});
{%- endfor %}
    (void)is_start;
}

/* ---- tests --------------------------------------------------------------------------------------------------- */

/* An input that is too wide for this machine is cut: the tests that depend on it are left out. */
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wconstant-conversion"
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverflow"
#endif
{{ bodies }}
#ifdef __clang__
#pragma clang diagnostic pop
#else
#pragma GCC diagnostic pop
#endif
/* ---- the tests in their order, and what runs them ------------------------------------------------------------- */

static const struct veer_case veer_tests[] = {
{%- for case in tests %}
{%- if case.condition %}
#if {{ case.condition }}
    { {{ case.number }}, "{{ case.name }}", {{ case.function }}, {{ case.expected }}, {{ case.exit_code }}, {{ case.note }}, {{ case.is_alone }} },
#else
    { {{ case.number }}, "{{ case.name }}", NULL, {{ case.expected }}, {{ case.exit_code }}, {{ case.note }}, {{ case.is_alone }} },
#endif
{%- else %}
    { {{ case.number }}, "{{ case.name }}", {{ case.function }}, {{ case.expected }}, {{ case.exit_code }}, {{ case.note }}, {{ case.is_alone }} },
{%- endif %}
{%- endfor %}
    { 0, NULL, NULL, VEER_RETURNS, 0, "", 0 },
};

/* These inputs show bugs: they are expected to fail, and run only when they are asked for. */
static const struct veer_case veer_bugs[] = {
{%- for case in bugs %}
    { {{ case.number }}, "{{ case.name }}", {{ case.function }}, VEER_FAILS, 0, {{ case.note }}, 0 },
{%- endfor %}
    { 0, NULL, NULL, VEER_FAILS, 0, "", 0 },
};
{% if is_unity %}
{%- include "unity_fixtures.c" %}{% endif %}
#define VEER_TEXT_OF(number) #number
#define VEER_TEXT(number) VEER_TEXT_OF(number)
{% set arguments = "int argc, char **argv" -%}
{% include "main_head.c" -%}
{
#ifdef VEER_TEST
    const char *key = VEER_TEXT(VEER_TEST);
    (void)argc, (void)argv;
#else
    const char *key = argc > 1 ? argv[1] : NULL;
#endif
    return veer_suite(key, veer_tests, veer_bugs);
}
