"""Features that are control: function tables, recursion, varargs, setjmp, goto."""

from __future__ import annotations

from scale.expressions import Expressions, Value
from scale.marked import Node, line
from scale.writer import Feature, Writer


def _table(w: Writer) -> None:
    w.function("static int twice(int v)", "return v % 400 * 2;")
    w.function("static int less(int v)", Node(("if (‹v > 5›)", (line("return 5;"),))), "return v - 1;")
    w.function("static int minus(int v)", "return -v;")
    w.globals.append(line("static int twice(int), less(int), minus(int);"))
    w.globals.append(line("static int (*const calls[4])(int) = {twice, less, minus, twice};"))


def _table_call(w: Writer) -> list[Node]:
    name = w.fresh("v")
    index, argument = w.make.some_index(4).text, w.make.fitting(-900, 900, 0).text
    w.scope.variable(name, -1001, 1000, writable=False)
    return [line(f"int {name} = ‹call|calls[{index}]›({argument});")]


def _table_variable(w: Writer) -> list[Node]:
    name, result = w.fresh("fn"), w.fresh("v")
    argument = w.make.fitting(-900, 900, 0).text
    condition = w.make.condition()
    w.scope.variable(result, -1001, 1000, writable=False)
    return [
        line(f"int (*{name})(int) = ‹{condition}›\n    ? less : minus;", fixed=True),
        line(f"int {result} = ‹call|{name}›({argument});"),
    ]


def _recursion(w: Writer) -> None:
    w.function(
        "static int deep(int n, int v)",
        Node(("if (‹n <= 0›)", (line("return v;", fixed=True),)), True),
        Node(("if (‹v > 50›)", (line("return n;"),))),
        "return deep(n - 1, v + n);",
    )
    w.scope.makers.append(
        lambda make: Value(f"deep({make.some_index(4).text}, {make.fitting(-900, 900, 0).text})", -1000, 1000)
    )
    w.globals.append(line("static int odd(int n);"))
    w.function(
        "static int even(int n)",
        Node(("if (‹n == 0›)", (line("return 1;", fixed=True),)), True),
        "return odd(n - 1);",
    )
    w.function(
        "static int odd(int n)",
        Node(("if (‹n == 0›)", (line("return 0;", fixed=True),)), True),
        "return even(n - 1);",
    )
    w.scope.makers.append(lambda make: Value(f"even({make.some_index(4).text})", 0, 1))


def _varargs(w: Writer) -> None:
    w.includes.add("stdarg.h")
    w.function(
        "static int sum(int n, ...)",
        "va_list rest;",
        "int all = 0;",
        "va_start(rest, n);",
        Node(("while (‹n-- > 0›)", (line("all += va_arg(rest, int);"),)), True),
        "va_end(rest);",
        "return all % 1000;",
    )

    def call(make: Expressions) -> Value:
        arguments = ", ".join(make.fitting(-900, 900, 0).text for _ in range(3))
        return Value(f"sum({make.some_index(4).text}, {arguments})", -999, 999)

    w.scope.makers.append(call)
    w.function(
        "static int pick(const char *types, ...)",
        "va_list rest;",
        "int all = 0;",
        "va_start(rest, types);",
        Node(
            (
                "for (; ‹*types›; types++) {",
                (
                    Node(("if (‹*types == 'd'›)", (line("all += (int)va_arg(rest, double);", fixed=True),)), True),
                    Node(("else if (‹*types == 'l'›)", (line("all -= (int)va_arg(rest, long);", fixed=True),)), True),
                    Node(("else", (line("all += va_arg(rest, int);", fixed=True),)), True),
                ),
                "}",
            ),
            True,
        ),
        "va_end(rest);",
        "return all % 1000;",
    )
    w.scope.makers.append(
        lambda make: Value(
            f'pick("dli", (double){make.fitting(-900, 900, 0).text}, {make.fitting(-900, 900, 0).text} + 0L,'
            f" {make.fitting(-900, 900, 0).text})",
            -999,
            999,
        )
    )


def _setjmp(w: Writer) -> None:
    w.includes.add("setjmp.h")
    w.static("static jmp_buf env;")
    w.function(
        "static int leave(int v)",
        Node(("if (‹v > 3›)", (line("longjmp(env, v & 7);"),))),
        Node(("if (‹v == -1›)", (line("longjmp(env, 0);"),))),
        "return v;",
    )


def _setjmp_use(w: Writer) -> list[Node]:
    place, low, _ = w.random.choice([each for each in w.scope.places if each[2] == 1000 or each[2] == 255])
    keep = w.fresh("kept")
    value = w.make.fitting(-900, 900, 1).text
    back = 0 if low == 0 else -1
    w.scope.variable(keep, -1000, 1000, writable=False)
    return [
        line(f"volatile int {keep} = {back};", fixed=True),
        Node(
            (
                "switch (‹switch 0 1 4|setjmp(env)›) {",
                (line(f"case 0: {keep} = leave({value}) % 1000; break;"), line(f"case 1: {keep} = 7; break;")),
                (line(f"case 4: {keep} = 9;"), line(f"default: {keep} = {keep} + 1; break;")),
                "}",
            )
        ),
        line(f"{place} = {keep} & 127;"),
    ]


def _goto(w: Writer) -> None:
    del w  # nothing to declare


def _goto_forward(w: Writer) -> list[Node]:
    label = w.fresh("out")
    return [
        Node(
            (
                *f"if ({w.condition()})".split("\n"),
                (line(f"goto {label};"),),
                *(("{", w.body(1), "}")),
                f"{label}:;",
            )
        )
    ]


def _goto_back(w: Writer) -> list[Node]:
    label, count = w.fresh("again"), w.fresh("n")
    return [
        Node(
            (
                f"int {count} = 0;",
                f"{label}:",
                f"{count}++;",
                *(("{", w.body(1), "}")),
                f"if (‹{count} < 3›)",
                (Node((f"if (‹{w.make.condition()}›)", (line(f"goto {label};"),))),),
            )
        )
    ]


def _helpers(w: Writer) -> None:
    w.function("static int scaled(int v)", "return v % 50 * 2 - 1;")
    w.function("static int middle(int one, int other)", "return (one + other) / 2;")
    w.scope.makers += [
        lambda make: Value(f"scaled({make.fitting(-900, 900, 0).text})", -99, 97),
        lambda make: Value(f"middle({make.fitting(-900, 900, 0).text}, {make.fitting(-900, 900, 0).text})", -900, 900),
    ]


CONTROL = (
    Feature("helper", _helpers),
    Feature("function table", _table, (_table_call, _table_variable)),
    Feature("recursion", _recursion),
    Feature("varargs", _varargs),
    Feature("setjmp", _setjmp, (_setjmp_use,)),
    Feature("goto", _goto, (_goto_forward, _goto_back)),
)
