"""Features that are blocks with a layout of the program's own, and pointers into objects.

Headers before blocks, flexible arrays, arrays that grow, pools, lists through a member, rings, results by pointer,
callbacks with a context, rows of a matrix.
"""

from __future__ import annotations

from scale.expressions import Value
from scale.marked import Node, line
from scale.writer import Feature, Writer


def _ask(condition: str, *inner: str) -> Node:
    """An if that no shrinking takes away. A branch is on what stands behind a `!`."""
    bare = condition.removeprefix("!")
    marked = f"{condition[: len(condition) - len(bare)]}‹{bare}›"
    return Node((f"if ({marked})", tuple(line(each, fixed=True) for each in inner)), True)


def _stored(w: Writer, text: str, low: int, high: int) -> Node:
    """An assignment of this value to some place."""
    place, least, most = w.random.choice(w.scope.places)
    return line(f"{place} = {w.make.fitted(Value(text, low, high), least, most).text};")


def _header(w: Writer) -> None:
    w.types.append(line("struct head { long size; short tag; };"))
    w.function(
        "static void *made(unsigned size, int tag)",
        line("struct head *head = malloc(size + sizeof *head);", fixed=True),
        _ask("!head", "abort();"),
        line("head->size = (long)size;", fixed=True),
        line("head->tag = (short)tag;", fixed=True),
        line("return head + 1;", fixed=True),
    )
    w.function("static struct head *head_of(void *p)", "return (struct head *)p - 1;")


def _header_use(w: Writer) -> list[Node]:
    name, count = w.fresh("bytes"), w.fresh("n")
    size, index, tag = w.make.some_index(8).text, w.make.some_index(8).text, w.make.fitting(-900, 900, 1).text
    kind = w.random.randrange(3)
    read = (
        (f"head_of({name})->tag", -900, 900),
        (f"(int)head_of({name})->size", 1, 8),
        (f"{name}[{index} % {count}]", 0, 255),
    )[kind]
    return [
        line(f"unsigned {count} = (unsigned){size} + 1u;", fixed=True),
        line(f"unsigned char *{name} = made({count}, {tag});", fixed=True),
        Node((f"for (unsigned k = 0; ‹k < {count}›; k++)", (line(f"{name}[k] = (unsigned char)(k * 3u);"),)), True)
        if kind == 2
        else line(f"{name}[0] = 7;"),
        _stored(w, *read),
        line(f"free(head_of({name}));", fixed=True),
    ]


def _flexible(w: Writer) -> None:
    w.types.append(line("struct pack { int used; short item[]; };"))
    w.function(
        "static int total(const struct pack *p)",
        line("int all = 0;", fixed=True),
        Node(("for (int k = 0; ‹k < p->used›; k++)", (line("all += p->item[k];"),)), True),
        line("return all % 1000;", fixed=True),
    )


def _flexible_use(w: Writer) -> list[Node]:
    name, count = w.fresh("pack"), w.fresh("n")
    size, index, value = w.make.some_index(4).text, w.make.some_index(4).text, w.make.fitting(-900, 900, 1).text
    read = w.random.choice((f"total({name})", f"{name}->item[{index} % {count}]"))
    return [
        line(f"int {count} = {size} + 1;", fixed=True),
        line(
            f"struct pack *{name} = malloc(sizeof *{name} + (size_t){count} * sizeof {name}->item[0]);",
            fixed=True,
        ),
        _ask(f"!{name}", "abort();"),
        line(f"{name}->used = {count};", fixed=True),
        Node((f"for (int k = 0; ‹k < {count}›; k++)", (line(f"{name}->item[k] = (short)(k - 2);", fixed=True),)), True),
        line(f"{name}->item[{count} - 1] = (short){value};"),
        _stored(w, read, -999, 999),
        line(f"free({name});", fixed=True),
    ]


def _grown(w: Writer) -> None:
    w.types.append(line("struct vec { int *at; int used, room; };"))
    w.function(
        "static void push(struct vec *v, int x)",
        Node(
            (
                "if (‹v->used == v->room›) {",
                (
                    line("int room = v->room * 2 + 1;", fixed=True),
                    line("int *at = realloc(v->at, (size_t)room * sizeof *at);", fixed=True),
                    _ask("!at", "abort();"),
                    line("v->at = at;", fixed=True),
                    line("v->room = room;", fixed=True),
                ),
                "}",
            ),
            True,
        ),
        line("v->at[v->used++] = x;", fixed=True),
    )


def _grown_use(w: Writer) -> list[Node]:
    name, index, value = w.fresh("vec"), w.make.some_index(8).text, w.make.fitting(-900, 900, 1).text
    count = w.fresh("n")
    return [
        line(f"struct vec {name} = {{0, 0, 0}};", fixed=True),
        line(f"int {count} = {w.make.some_index(4).text};", fixed=True),
        Node((f"for (int k = 0; ‹k <= {count}›; k++)", (line(f"push(&{name}, k * 5);", fixed=True),)), True),
        line(f"push(&{name}, {value});"),
        _stored(w, f"{name}.at[{index} % {name}.used]", -900, 900),
        line(f"free({name}.at);", fixed=True),
    ]


def _pool(w: Writer) -> None:
    w.static("static int pool[8];")
    w.static("static unsigned taken;")
    w.observed += [("taken", 4)]
    w.function(
        "static int *take(unsigned n)",
        line("unsigned at = taken;", fixed=True),
        _ask("at + n > 8u", "return 0;"),
        line("taken = at + n;", fixed=True),
        line("return pool + at;", fixed=True),
    )


def _pool_use(w: Writer) -> list[Node]:
    name, value = w.fresh("part"), w.make.fitting(-900, 900, 1).text
    size = w.make.some_index(8).text
    return [
        line(f"int *{name} = take((unsigned){size} + 1u);", fixed=True),
        _ask(name, f"*{name} = {value};"),
        line(f"r = ‹{name} != 0›\n    ? *{name} : 3;"),
    ]


def _owner(w: Writer) -> None:
    w.includes.add("stddef.h")
    w.types.append(line("struct hook { struct hook *next; };"))
    w.types.append(line("struct item { int key; struct hook hook; short weight; };"))
    w.function(
        "static struct item *owner(struct hook *h)",
        line("return (struct item *)((char *)h - offsetof(struct item, hook));", fixed=True),
    )
    w.function(
        "static int keys(struct hook *h)",
        line("int all = 0;", fixed=True),
        Node(
            (
                "while (‹h != 0›) {",
                (line("all += owner(h)->key % 300;", fixed=True), line("h = h->next;", fixed=True)),
                "}",
            ),
            True,
        ),
        line("return all;", fixed=True),
    )
    w.locals.append(line("struct item item3 = {30, {0}, 1}, item2 = {20, {&item3.hook}, 2};"))
    w.locals.append(line("struct item item1 = {10, {&item2.hook}, 3};"))
    w.locals.append(line("struct hook *hooks = &item1.hook;"))
    w.scope.variable("owner(hooks)->key")
    w.scope.values.append(Value("owner(hooks)->weight", 1, 3))
    w.scope.values.append(Value("keys(hooks)", -897, 897))


def _owner_cut(w: Writer) -> list[Node]:
    change = w.random.choice(("item1.hook.next = &item3.hook;", "hooks = &item2.hook;", "owner(hooks)->hook.next = 0;"))
    return [Node((*f"if ({w.condition()})".split("\n"), (line(change),)))]


def _ring(w: Writer) -> None:
    w.types.append(line("struct ring { unsigned char data[4]; unsigned head, tail; };"))
    w.function(
        "static int put_in(struct ring *r, int x)",
        _ask("r->head - r->tail == 4u", "return 0;"),
        line("r->data[r->head++ & 3u] = (unsigned char)x;", fixed=True),
        line("return 1;", fixed=True),
    )
    w.function(
        "static int taken_out(struct ring *r)",
        _ask("r->head == r->tail", "return -1;"),
        line("return r->data[r->tail++ & 3u];", fixed=True),
    )
    w.locals.append(line("struct ring ring = {{1, 2, 3, 4}, 5, 3};"))
    w.scope.values += [Value("(int)(ring.head - ring.tail)", 0, 4), Value("(int)ring.head", 0, 60)]
    w.scope.makers.append(lambda make: Value(f"ring.data[{make.some_index(4).text}]", 0, 255))


def _ring_put(w: Writer) -> list[Node]:
    return [line(f"put_in(&ring, {w.make.value(1).text});")]


def _ring_take(w: Writer) -> list[Node]:
    name = w.fresh("v")
    w.scope.variable(name, -1, 255, writable=False)
    return [line(f"int {name} = taken_out(&ring);")]


def _ring_fill(w: Writer) -> list[Node]:
    value = w.make.value(1).text
    return [Node((f"while (‹put_in(&ring, {value})›)", (line("r = (r + 1) % 1000;"),)), True)]


def _delivered(w: Writer) -> None:
    w.types.append(line("struct made { int kind; unsigned char *text; };"))
    w.function(
        "static int make_it(struct made **out, int kind, unsigned size)",
        line("*out = 0;", fixed=True),
        _ask("kind < 0", "return 1;"),
        line("struct made *it = malloc(sizeof *it);", fixed=True),
        _ask("!it", "abort();"),
        line("it->text = calloc(size + 1u, 1);", fixed=True),
        _ask("!it->text", "abort();"),
        line("it->kind = kind;", fixed=True),
        line("it->text[size / 2u] = (unsigned char)kind;", fixed=True),
        line("*out = it;", fixed=True),
        line("return 0;", fixed=True),
    )
    w.function("static void drop(struct made *it)", "free(it->text);", "free(it);")


def _delivered_use(w: Writer) -> list[Node]:
    name = w.fresh("made")
    kind, size = w.make.fitting(-100, 500, 1).text, w.make.some_index(4).text
    read = w.random.choice((f"{name}->kind", f"{name}->text[0]"))
    return [
        line(f"struct made *{name};", fixed=True),
        Node(
            (
                f"if (‹make_it(&{name}, {kind}, (unsigned){size}) == 0›) {{",
                (_stored(w, read, 0, 500), line(f"drop({name});", fixed=True)),
                "}",
            ),
            True,
        ),
    ]


def _context(w: Writer) -> None:
    w.types.append(line("struct sums { int all, least; };"))
    w.function(
        "static int each(const int *at, int n, int (*see)(void *, int), void *context)",
        line("int k = 0;", fixed=True),
        Node(
            (
                "for (; ‹k < n›; k++)",
                (Node(("if (‹see(context, at[k])›)", (line("break;", fixed=True),)), True),),
            ),
            True,
        ),
        line("return k;", fixed=True),
    )
    w.function(
        "static int add(void *context, int x)",
        line("struct sums *s = context;", fixed=True),
        line("s->all += x % 100;", fixed=True),
        _ask("x < s->least", "s->least = x;"),
        line("return 0;", fixed=True),
    )
    w.function("static int is_same(void *context, int x)", "return x == *(int *)context;")


def _context_use(w: Writer) -> list[Node]:
    numbers, sums, found = w.fresh("at"), w.fresh("sums"), w.fresh("v")
    one, other, asked = (w.make.fitting(-900, 900, 1).text for _ in range(3))
    count = w.make.some_index(4).text
    w.scope.variable(found, 0, 3, writable=False)
    w.scope.values.append(Value(f"{sums}.least", -900, 500))
    w.scope.values.append(Value(f"{sums}.all", -297, 297))
    return [
        line(f"int {numbers}[3] = {{{one}, {other}, 40}};", fixed=True),
        line(f"struct sums {sums} = {{0, 500}};", fixed=True),
        line(f"each({numbers}, {count} % 4, add, &{sums});"),
        line(f"int {found} = {asked};", fixed=True),
        line(f"{found} = each({numbers}, 3, is_same, &{found});", fixed=True),
    ]


def _matrix(w: Writer) -> None:
    w.function(
        "static int diagonal(int m[][3], int rows)",
        line("int all = 0;", fixed=True),
        Node(("for (int k = 0; ‹k < rows›; k++)", (line("all += m[k][k % 3];"),)), True),
        line("return all % 1000;", fixed=True),
    )
    w.locals.append(line("int grid3[4][3] = {{1, 2, 3}, {40, 50, 60}, {-7, 8, -9}};"))
    w.scope.makers += [
        lambda make: Value(f"diagonal(grid3, {make.some_index(4).text})", -999, 999),
        lambda make: Value(f"(*(grid3 + {make.some_index(4).text}))[{make.some_index(3).text}]", -1000, 1000),
    ]


def _matrix_write(w: Writer) -> list[Node]:
    value, row = w.make.fitting(-1000, 1000, 1).text, w.make.some_index(4).text
    name = w.fresh("row")
    return [
        line(f"int (*{name})[3] = &grid3[{row}];", fixed=True),
        line(f"(*{name})[{w.make.some_index(3).text}] = {value};"),
    ]


BLOCKS = (
    Feature("header before a block", _header, (_header_use,)),
    Feature("flexible array", _flexible, (_flexible_use,)),
    Feature("growing array", _grown, (_grown_use,)),
    Feature("pool", _pool, (_pool_use,)),
    Feature("container of a member", _owner, (_owner_cut,)),
    Feature("ring buffer", _ring, (_ring_put, _ring_take, _ring_fill)),
    Feature("result by pointer", _delivered, (_delivered_use,)),
    Feature("callback with a context", _context, (_context_use,)),
    Feature("matrix", _matrix, (_matrix_write,)),
)
