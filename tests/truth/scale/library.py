"""Features of the library and the run-time: strings, memory, numbers, heap, arrays of variable length, floats."""

from __future__ import annotations

from scale.expressions import Value
from scale.marked import Node, block, line
from scale.writer import Feature, Writer


def _strings(w: Writer) -> None:
    w.locals.append(line('char text[8] = "ab";'))
    w.scope.values.append(Value("(int)strlen(text)", 0, 7))
    w.scope.makers.append(lambda make: Value(f"text[{make.some_index(8).text}]", -128, 127))
    w.scope.makers.append(lambda make: Value(f'"hello!?"[{make.some_index(8).text}]', 0, 127))
    w.function(
        "static int count(const char *s, char c)",
        "int n = 0;",
        Node(("for (; ‹*s›; s++)", (Node(("if (‹*s == c›)", (line("n++;"),))),)), True),
        "return n;",
    )
    w.scope.makers.append(lambda make: Value(f"count(text, '{make.random.choice('ab')}')", 0, 7))


def _strings_write(w: Writer) -> list[Node]:
    index, count = w.make.some_index(8).text, w.make.some_index(4).text
    value = w.make.value(1).text
    return [
        line(
            w.random.choice(
                (
                    'strcpy(text, "xyz");',
                    f"text[{index}] = (char)({value} & 127); text[7] = 0;",
                    f'memcpy(text, "hello", (size_t){count});',
                    f"memset(text, 'b', (size_t){count}); text[7] = 0;",
                    'strncpy(text, "abab", 3);',
                    f'snprintf(text, sizeof text, "%d", {w.make.fitting(-900, 900, 1).text});',
                )
            )
        )
    ]


def _strings_ask(w: Writer) -> list[Node]:
    asked = w.random.choice(
        ('strcmp(text, "abc") < 0', "strchr(text, 'a') != 0", 'memcmp(text, "ab", 2) == 0', 'strstr(text, "ba")')
    )
    return [block(f"if (‹{asked}›) {{", w.body(1))]


def _given_text(w: Writer) -> None:
    w.scope.values.append(Value("(int)strlen(s)", 0, 2))


def _given_text_ask(w: Writer) -> list[Node]:
    asked = w.random.choice(
        (
            "s[0] == 'a'",
            "*s",
            'strcmp(s, "ab") == 0',
            'strcmp(s, "a") < 0',
            "strchr(s, 'b') != 0",
            'strncmp(s, "ba", 2) == 0',
            "*s && s[1] == 'b'",
            'strcspn(s, "b") == 1',
        )
    )
    if "&&" in asked:
        asked = asked.replace(" && ", "› &&\n    ‹")
    return [Node((*f"if (‹{asked}›) {{".split("\n"), w.body(1), "}"))]


def _number(w: Writer) -> None:
    w.scope.values.append(Value("atoi(s)", -9, 99))
    w.scope.values.append(Value("(int)strtol(s, 0, 8)", -7, 63))
    w.scope.values.append(Value("(isdigit((unsigned char)*s) != 0)", 0, 1))
    w.includes.add("ctype.h")


def _library(w: Writer) -> None:
    w.includes.add("ctype.h")
    w.scope.makers += [
        lambda make: Value(f"abs({make.fitting(-1000, 1000, 0).text})", 0, 1000),
        lambda make: Value(f"div({make.fitting(-1000, 1000, 0).text}, 7).rem", -6, 6),
        lambda make: Value(f"toupper({make.index(make.atom(), 128).text})", 0, 127),
        lambda make: Value(f"(isalpha({make.index(make.atom(), 128).text}) != 0)", 0, 1),
    ]
    w.function("static int ascending(const void *a, const void *b)", "return *(const int *)a - *(const int *)b;")


def _library_sort(w: Writer) -> list[Node]:
    name = w.fresh("sorted")
    first, second = w.make.fitting(-900, 900, 0).text, w.make.fitting(-900, 900, 0).text
    w.scope.values.append(Value(f"{name}[1]", -900, 900))
    return [
        line(f"int {name}[3] = {{{first}, {second}, 5}};", fixed=True),
        line(f"qsort({name}, 3, sizeof(int), ascending);"),
    ]


def _library_memory(w: Writer) -> list[Node]:
    name = w.fresh("bytes")
    count, last = w.make.some_index(4).text, w.make.value(0).text
    w.scope.values.append(Value(f"{name}[2]", 0, 255))
    change = w.random.choice((f"memmove({name} + 1, {name}, {count});", f"memset({name}, 7, {count});"))
    return [
        line(f"unsigned char {name}[4] = {{9, 8, 7, (unsigned char){last}}};", fixed=True),
        line(change),
        block(f"if (‹memchr({name}, 9, 4) != 0›) {{", w.body(1)),
    ]


def _heap(w: Writer) -> None:
    del w  # every block is allocated and freed where it is used


def _heap_use(w: Writer) -> list[Node]:
    name, count = w.fresh("heap"), w.fresh("n")
    size = w.make.some_index(3).text
    index = w.make.some_index(8).text
    allocated = w.random.choice((f"calloc({count}, sizeof(int))", f"malloc({count} * sizeof(int))"))
    value = w.make.fitting(-900, 900, 1).text
    place, low, high = w.random.choice(w.scope.places)
    read = w.make.fitted(Value(f"{name}[{index} % {count}]", -900, 900), low, high).text
    return [
        line(f"unsigned {count} = (unsigned){size} + 1u;", fixed=True),
        line(f"int *{name} = {allocated};", fixed=True),
        Node((f"if (!‹{name}›)", (line("abort();"),)), True),
        Node((f"for (unsigned k = 0; ‹k < {count}›; k++)", (line(f"{name}[k] = {value};", fixed=True),)), True),
        line(f"{place} = {read};"),
        line(f"free({name});", fixed=True),
    ]


def _vla(w: Writer) -> None:
    del w  # each stands where it is used


def _vla_use(w: Writer) -> list[Node]:
    name, count = w.fresh("vla"), w.fresh("n")
    size, index = w.make.some_index(3).text, w.make.some_index(4).text
    value = w.make.fitting(-900, 900, 1).text
    w.scope.values.append(Value(f"{name}[{count} - 1]", -900, 900))  # after what it is set from
    return [
        line(f"int {count} = {size} + 1;", fixed=True),
        line(f"int {name}[{count}];", fixed=True),
        Node((f"for (int k = 0; ‹k < {count}›; k++)", (line(f"{name}[k] = k;", fixed=True),)), True),
        line(f"{name}[{index} % {count}] = {value};"),
    ]


def _floats(w: Writer) -> None:
    w.locals.append(line("double real = 0.5;"))
    w.locals.append(line("float single = -1.25f;"))
    w.globals.append(line("static const double weights[4] = {0.25, -3.0, 100.0, 0.0};"))
    w.scope.values += [Value("(real > 1.5)", 0, 1), Value("(int)(real * 2.0)", -2002, 2002)]
    w.scope.values.append(Value("(single <= (float)real)", 0, 1))
    w.scope.makers.append(lambda make: Value(f"(int)(weights[{make.some_index(4).text}] * 4.0)", -12, 400))


def _floats_write(w: Writer) -> list[Node]:
    value = w.make.fitting(-1000, 1000, 1).text
    return [
        line(
            w.random.choice(
                (
                    f"real = {value} * 0.5;",
                    f"real = {value} / 4.0 + 0.25;",
                    f"single = (float){value};",
                    f"single = (float){value} / 8.0f;",
                    "real = ‹single < 0.0f› ? -0.5 : 1.75;",
                )
            )
        )
    ]


def _floats_ask(w: Writer) -> list[Node]:
    conditions = ("real < 2.5", "single == -1.25f", "real * 2.0 >= single", "single != single", "real > 0.0")
    asked = w.random.choice(conditions)
    return [block(f"if (‹{asked}›) {{", w.body(1))]


def _wide(w: Writer) -> None:
    w.locals.append(line("long long wide = 1;"))
    w.locals.append(line("unsigned word = 77u;"))
    w.scope.values += [
        Value("(int)(wide % 97)", -96, 96),
        Value("(int)(word % 89u)", 0, 88),
        Value("(int)(word >> 28)", 0, 15),
        Value("(signed char)word", -128, 127),
        Value("(wide < 0)", 0, 1),
    ]


def _wide_write(w: Writer) -> list[Node]:
    value, other = w.make.fitting(-1000, 1000, 1).text, w.make.some_index(8).text
    return [
        line(
            w.random.choice(
                (
                    f"word = word * 31u + (unsigned){value};",
                    f"word ^= (unsigned){value} << {other};",
                    f"wide = (long long){value} * 5000000000LL;",
                    f"wide = (long long)((unsigned long long){value} >> {other});",
                    "word = (word << 7) | (word >> 25);",
                )
            )
        )
    ]


LIBRARY = (
    Feature("string", _strings, (_strings_write, _strings_ask)),
    Feature("libc", _library, (_library_sort, _library_memory)),
    Feature("heap", _heap, (_heap_use,)),
    Feature("symbolic size", _vla, (_vla_use,)),
    Feature("float", _floats, (_floats_write, _floats_ask)),
    Feature("wide", _wide, (_wide_write,)),
)
GIVEN = {
    "text": Feature("text", _given_text, (_given_text_ask,)),
    "number": Feature("number", _number),
}
"""Features that a parameter brings with it."""
