/* {{ "Inputs that show bugs of" if is_errors else "Tests of" }} {{ entry }} for {{ title }}, written by veer. Do not edit: the next campaign writes this file anew.
 *
{%- if is_errors %}
 * Each test passes as soon as its bug is mended.
{%- else %}
 * Each test runs one path of the program.
{%- endif %} Build and run: cmake -B build && cmake --build build && ctest --test-dir build
{%- for line in contract_lines %}
 * {{ line }}
{%- endfor %}
 */
{{ includes }}

{{ headers }}

{{ support }}
/* ---- tests --------------------------------------------------------------------------------------------------- */

/* Tests are compiled as they stand, whatever -O says: no compiler concludes from an input what the unit will do. */
#ifdef __clang__
#pragma clang optimize off
#else
#pragma GCC push_options
#pragma GCC optimize("O0")
#endif
{% for body in bodies %}
{{ body }}
{% endfor %}
#ifdef __clang__
#pragma clang optimize on
#else
#pragma GCC pop_options
#endif

{{ apart }}{{ runner }}
