/* Tests of {{ entry }}, written by veer. Each runs one path of the program. Do not edit: veer writes this file anew.
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
{%- if watched_commands %}
 *
 * With the monitors of its specifications, which end a test whose calls violate one:
 *
{%- for line in watched_commands %}
 *     {{ line }}
{%- endfor %}
{%- endif %}
 *
 * Without an argument all tests run, each in a process of its own, and print TAP lines. `--list` names them, `--test NAME`
 * runs one in this process (for a debugger), `--bug N` runs an input that shows a bug and is expected to fail.
{%- for line in contract_lines %}
 * {{ line }}
{%- endfor %}
{%- for line in bug_lines %}
 *     {{ line }}
{%- endfor %}
 */
{{ includes }}

{{ header }}{{ support }}
/* ---- tests --------------------------------------------------------------------------------------------------- */

{{ bodies }}
{{ runner }}
