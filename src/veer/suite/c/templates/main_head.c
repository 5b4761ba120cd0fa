{% if aside -%}
int veer_suite_main({{ arguments }}) __asm__("main");
int veer_suite_main({{ arguments }})
{%- else -%}
int main({{ arguments }})
{%- endif %}
