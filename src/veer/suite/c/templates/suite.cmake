# The targets of one suite, for CMakeLists.txt; written by veer.
{%- if is_watched %}
# With the monitors of its specifications: veer_watch.c puts the calls that they hear of into what is compiled.
option(VEER_WATCH "CTest checks specifications, too (GCC and Clang)" ON)
{%- endif %}
set_source_files_properties({% for target in targets %}{{ target }}.c {% endfor %}{% for source in sources %}{{ source }} {% endfor %}PROPERTIES COMPILE_FLAGS {{ flags }})
{% for target in targets %}
{%- if is_watched %}
if(VEER_WATCH AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    veer_watched({{ target }} {{ flags }} {{ target }}.c{% for source in sources %} {{ source }}{% endfor %})
else()
    set({{ target }}_sources {{ target }}.c{% for source in sources %} {{ source }}{% endfor %})
endif()
add_executable({{ target }} ${ {{- target }}_sources}{{ " " + target + "_gtest.cpp" if framework == "gtest" else "" }})
{%- else %}
add_executable({{ target }} {{ target }}.c{{ " " + target + "_gtest.cpp" if framework == "gtest" else "" }}{% for source in sources %} {{ source }}{% endfor %})
{%- endif %}
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
