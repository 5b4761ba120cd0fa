{%- if "setUp" not in defines %}
void setUp(void) {}
{%- endif %}
{%- if "tearDown" not in defines %}
void tearDown(void) {}
{%- endif %}
