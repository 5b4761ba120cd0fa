// {{ "Inputs that show bugs of" if is_errors else "Tests of" }} {{ entry }} for GoogleTest, written by veer; the C functions that it calls are in {{ file }}.c.
// Do not edit: the next campaign writes this file anew. Each test runs in a process of its own (a death test).
#include <cstdlib>
#include <gtest/gtest.h>

extern "C" {
void veer_begin(const char *name);
{%- for test in tests %}
int {{ test.function }}(void);
{%- endfor %}
}

using ::testing::ExitedWithCode;

// The exit code that a test function stands for: 0 when all is as expected.
static int run(const char *name, int (*test)(void))
{
    veer_begin(name);
    return test() == 0 ? 0 : 1;
}
{% for test in tests %}
TEST({{ suite }}, {{ short[test.function] }})
{
{%- if test.exit_code is none %}
    EXPECT_EXIT(std::exit(run("{{ test.function }}", {{ test.function }})), ExitedWithCode(0), "");
{%- else %}
    EXPECT_EXIT((run("{{ test.function }}", {{ test.function }}), std::_Exit({{ (test.exit_code + 1) % 256 }})), ExitedWithCode({{ test.exit_code }}), "");
{%- endif %}
}
{% endfor -%}
