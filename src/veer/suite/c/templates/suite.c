/* Tests of {{ entry }}, written by veer. Each runs one path of the program. Do not edit: the next campaign writes this file anew.
 *
{%- for line in commands %}
 *     {{ line }}
{%- endfor %}
 *
 * Without an argument all tests run, each in a process of its own, and print TAP lines. `--list` names them, `--test N`
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
