/* {{ "Inputs that show bugs of" if is_errors else "Tests of" }} {{ entry }} for {{ title }}, written by veer. Do not edit: veer writes this file anew.
 *
{%- if is_errors %}
 * Each test passes as soon as its bug is mended.
{%- else %}
 * Each test runs one path of the program.
{%- endif %} Build and run: cmake -B build && cmake --build build && ctest --test-dir build
{%- if made_by %}
 *
 * `veer update {{ file }}.c` makes it again as here, and tells what changed; it leaves lines between `veer: keep` and `veer: end keep` alone.
 *
 *     {{ made_by }}
 *
{%- endif %}
{%- for line in contract_lines %}
 * {{ line }}
{%- endfor %}
 */
{{ includes }}

{{ header }}{{ support }}
/* ---- tests --------------------------------------------------------------------------------------------------- */

{{ bodies }}
{{ runner }}
