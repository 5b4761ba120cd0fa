"""Features that are data: structs, unions, bit-fields, pointers to pointers, arrays, static state, lists."""

from __future__ import annotations

from scale.expressions import Expressions, Value
from scale.marked import Node, block, line
from scale.writer import Feature, Writer


def _struct(w: Writer) -> None:
    w.types.append(line("struct pt { int x; unsigned char y; short z; };"))
    w.function(
        "static struct pt moved(struct pt p, int d)",
        "p.x = (p.x + d) % 500;",
        Node(("if (‹p.y > 3›)", (line("p.z = (short)d;"),))),
        "return p;",
    )
    w.locals.append(line("struct pt pt1 = {1, 2, 3}, pt2 = {0, 5, -1};"))
    for text, low, high in (("pt1.x", -1000, 1000), ("pt1.y", 0, 255), ("pt2.z", -1000, 1000), ("pt2.x", -1000, 1000)):
        w.scope.variable(text, low, high)


def _struct_copy(w: Writer) -> list[Node]:
    return [line(w.random.choice(("pt2 = pt1;", "pt1 = pt2;", "memcpy(&pt2, &pt1, sizeof pt1);")))]


def _struct_call(w: Writer) -> list[Node]:
    return [line(f"pt1 = moved(pt2, {w.make.fitting(-1000, 1000, 1).text});")]


def _struct_pointer(w: Writer) -> list[Node]:
    name = w.fresh("at")
    return [
        line(f"struct pt *{name} = &pt1;", fixed=True),
        Node((*f"if ({w.condition()})".split("\n"), (line(f"{name} = &pt2;"),))),
        line(f"{name}->y = {w.make.fitting(0, 255, 1).text};"),
    ]


def _union(w: Writer) -> None:
    w.types.append(line("union mix { unsigned whole; unsigned char b[4]; struct { short low, high; } s; };"))
    w.locals.append(line("union mix mix = {0x01020304u};"))

    def byte(make: Expressions) -> Value:
        return Value(f"mix.b[{make.some_index(4).text}]", 0, 255)

    w.scope.makers.append(byte)
    w.scope.values.append(Value("mix.s.high", -32768, 32767))
    w.scope.places.append(("mix.s.low", -32768, 32767))


def _union_write(w: Writer) -> list[Node]:
    value = w.make.value(1).text
    index = w.make.some_index(4).text
    return [
        line(w.random.choice((f"mix.whole = (unsigned){value} * 257u;", f"mix.b[{index}] = (unsigned char){value};")))
    ]


def _bits(w: Writer) -> None:
    w.types.append(line("struct bits { unsigned a : 3; int b : 4; unsigned c : 9; int d; _Bool e : 1; };"))
    w.locals.append(line("struct bits bits = {5, -3, 300, 9, 1};"))
    for text, low, high in (("bits.a", 0, 7), ("bits.b", -8, 7), ("bits.c", 0, 511), ("bits.e", 0, 1)):
        w.scope.variable(f"(int){text}" if text == "bits.c" else text, low, high, writable=text != "bits.c")


def _bits_write(w: Writer) -> list[Node]:
    member, mask = w.random.choice((("a", 7), ("b", 15), ("c", 511), ("e", 1)))
    return [line(f"bits.{member} = {w.make.value(1).text} & {mask};")]


def _indirection(w: Writer) -> None:
    w.locals.append(line("int px = 4, py = -6, *pa = &px, *pb = &py, **pp = &pa;"))
    w.function("static void put(int **where, int *what)", "*where = what;")
    for text in ("px", "*pa", "**pp"):
        w.scope.variable(text)


def _indirection_turn(w: Writer) -> list[Node]:
    change = w.random.choice(("pp = &pb;", "*pp = &py;", "put(&pa, pb);", "put(pp, &px);", "pa = *pp;"))
    return [Node((*f"if ({w.condition()})".split("\n"), (line(change),)))]


def _indirection_ask(w: Writer) -> list[Node]:
    asked = w.random.choice(("pa == pb", "*pp == &px", "pp != &pa", "pa != &py"))
    return [block(f"if (‹{asked}›) {{", w.body(1))]


def _array(w: Writer) -> None:
    w.locals.append(line("int cells[4] = {3, -1, 7, 0};"))
    w.locals.append(line("short grid[2][3] = {{1, 2, 3}, {4, 5, 6}};"))
    w.globals.append(line("static const unsigned char table[8] = {3, 200, 0, 17, 1, 255, 64, 9};"))

    def cell(make: Expressions) -> Value:
        return Value(f"cells[{make.some_index(4).text}]", -1000, 1000)

    def element(make: Expressions) -> Value:
        return Value(f"grid[{make.some_index(2).text}][{make.some_index(3).text}]", -1000, 1000)

    def constant(make: Expressions) -> Value:
        return Value(f"table[{make.some_index(8).text}]", 0, 255)

    w.scope.makers += [cell, element, constant]


def _array_write(w: Writer) -> list[Node]:
    value = w.make.fitting(-1000, 1000, 1).text
    if w.random.random() < 0.5:
        return [line(f"cells[{w.make.some_index(4).text}] = {value};")]
    return [line(f"grid[{w.make.some_index(2).text}][{w.make.some_index(3).text}] = (short){value};")]


def _array_walk(w: Writer) -> list[Node]:
    name = w.fresh("at")
    return [
        line(f"const int *{name} = cells + {w.make.some_index(4).text};", fixed=True),
        block(f"if (‹{name} - cells > 1›) {{", w.body(1)),
    ]


def _static(w: Writer) -> None:
    w.static("static int state = 1;")
    w.static("int shared;")
    w.observed += [("state", 4), ("shared", 4)]
    w.function(
        "static int next(int v)",
        "‹unit›static int calls;",
        "calls++;",
        Node(("if (‹calls > 1›)", (line("state = v;"),))),
        "return calls;",
    )
    w.scope.variable("state")
    w.scope.variable("shared")


def _static_call(w: Writer) -> list[Node]:
    """A call that changes what others read stands alone: C does not say in which order an expression is evaluated."""
    name, argument = w.fresh("v"), w.make.fitting(-1000, 1000, 1).text
    w.scope.variable(name, 1, 50, writable=False)
    return [line(f"int {name} = next({argument});")]


def _static_machine(w: Writer) -> list[Node]:
    return [
        Node(
            (
                f"switch (‹switch 0 1 2|{w.make.index(w.make.atom(), 4).text}›) {{",
                (line("case 0: state = 2; break;"), line("case 1: shared += state; shared %= 100; break;")),
                (line("case 2: state = shared & 3;"), line("default: shared = 1; break;")),
                "}",
            )
        )
    ]


def _list(w: Writer) -> None:
    w.types.append(line("struct link { int key; struct link *next; };"))
    w.function(
        "static int length(const struct link *l)",
        "int n = 0;",
        Node(("while (‹l != 0›) {", (line("n++;", fixed=True), line("l = l->next;", fixed=True)), "}"), True),
        "return n;",
    )
    w.locals.append(line("struct link l3 = {3, 0}, l2 = {2, &l3}, l1 = {1, &l2}, *list = &l1;"))
    w.scope.variable("list->key")
    w.scope.makers.append(lambda make: Value("length(list)", 1, 3))


def _list_cut(w: Writer) -> list[Node]:
    change = w.random.choice(("l1.next = &l3;", "list = &l2;", "l2.next = 0;"))
    return [Node((*f"if ({w.condition()})".split("\n"), (line(change),)))]


def _enum(w: Writer) -> None:
    w.locals.append(line("enum colour colour = GREEN;"))
    w.scope.values.append(Value("(int)colour", 0, 2))


def _enum_set(w: Writer) -> list[Node]:
    return [line(f"colour = (enum colour){w.make.some_index(3).text};")]


DATA = (
    Feature("struct", _struct, (_struct_copy, _struct_call, _struct_pointer)),
    Feature("union", _union, (_union_write,)),
    Feature("bit-field", _bits, (_bits_write,)),
    Feature("pointer to pointer", _indirection, (_indirection_turn, _indirection_ask)),
    Feature("symbolic index", _array, (_array_write, _array_walk)),
    Feature("static state", _static, (_static_machine, _static_call)),
    Feature("list", _list, (_list_cut,)),
    Feature("enum", _enum, (_enum_set,)),
)
