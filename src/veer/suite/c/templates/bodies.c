/* Formats are inputs here: a call that hands one on is no mistake. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"

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
#pragma GCC diagnostic pop
