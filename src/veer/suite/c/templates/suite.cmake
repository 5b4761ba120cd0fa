# The targets of one suite, for CMakeLists.txt; written by veer.
set_source_files_properties({% for target in targets %}{{ target }}.c {% endfor %}{% for source in sources %}{{ source }} {% endfor %}PROPERTIES COMPILE_FLAGS {{ flags }})
{% for target in targets %}
add_executable({{ target }} {{ target }}.c{{ " " + target + "_gtest.cpp" if framework == "gtest" else "" }}{% for source in sources %} {{ source }}{% endfor %})
target_link_libraries({{ target }} PRIVATE{{ "" if framework == "plain" else " ${framework}" }}{% for library in libraries %} {{ library }}{% endfor %})
{%- if target.startswith("errors_") %}

# These tests fail until the bugs are mended. Sanitizers see what a plain build runs on after.
option(VEER_BUGS "CTest runs the inputs that show bugs, too" OFF)
option(VEER_SANITIZE "build them with address and undefined behaviour sanitizers" ON)
if(VEER_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options({{ target }} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined)
    target_link_options({{ target }} PRIVATE -fsanitize=address,undefined)
endif()
if(VEER_BUGS)
    add_test(NAME {{ target }} COMMAND {{ target }})
endif()
{%- else %}
add_test(NAME {{ target }} COMMAND {{ target }})
{%- endif %}
{% endfor -%}
