/* ---- runner: Check runs each test in a process of its own --------------------------------------------------- */

static int veer_run_all(void)
{
    Suite *suite = suite_create("{{ suite }}");
    TCase *tests = tcase_create("{{ file }}");
    SRunner *runner = srunner_create(suite);
    int failed;
    tcase_set_timeout(tests, {{ seconds }});
{%- for test in tests %}
{%- if test.exit_code is none %}
    tcase_add_test(tests, {{ test.function }});
{%- else %}
    tcase_add_exit_test(tests, {{ test.function }}, {{ test.exit_code }});
{%- endif %}
{%- endfor %}
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}

{% set arguments = "void" -%}
{% include "main_head.c" -%}
{
    return veer_run_all() != 0;
}
