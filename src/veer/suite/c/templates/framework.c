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

{{ header }}{{ support }}
/* ---- tests --------------------------------------------------------------------------------------------------- */

{{ bodies }}
{{ runner }}
