"""The links of the chain one by one, on solvers that are made up."""

import random
from dataclasses import dataclass, field

from smt_dag import ArenaBuilder

from veer.smt.chain import CountingSolver, FirstKnown, chain
from veer.smt.checking import CheckedSolver, Checker, NearSolver
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.memory import KnownAnswers, RecentModels
from veer.smt.protocol import Answer, Eliminated, Query, Sat, SmtOptions, Unknown, Unsat
from veer.smt.sampling import SamplingSolver
from veer.smt.slices import PrefixPartition, SlicedSolver
from veer.smt.syntactic import SyntacticSolver
from veer.wire.layout import LeafKind, Op


@dataclass
class Scripted:
    """Gives the answers of a script and keeps the queries."""

    answers: list[Answer]
    queries: list[Query] = field(default_factory=list)

    def solve(self, query: Query) -> Answer:
        self.queries.append(query)
        return self.answers[min(len(self.queries), len(self.answers)) - 1]


def _checker(builder: ArenaBuilder) -> Checker:
    return Checker(builder.arena, ReferenceEvaluator(builder.arena))


def test_syntactic_contradiction_and_repetition():
    builder = ArenaBuilder()
    x = builder.leaf(8)
    low = builder.compare(Op.ULT, x, builder.constant(8, 9))
    high = builder.make(Op.NOT, 1, builder.make(Op.NOT, 1, builder.make(Op.NOT, 1, low)))
    other = builder.equals(x, 3)
    inner = Scripted([Unsat("inner")])
    solver = SyntacticSolver(builder.arena, inner, Eliminated())
    assert solver.solve(Query(((low, True), (high, True)), b"")) == Unsat(
        "syntactic", frozenset({(low, True), (low, False)})
    )
    assert not inner.queries
    solver.solve(Query(((low, True), (other, True), (high, False), (other, True)), b""))
    assert inner.queries == [Query(((low, True), (other, True)), b"")]


def test_syntactic_constants():
    builder = ArenaBuilder()
    true, low = builder.constant(1, 1), builder.compare(Op.ULT, builder.leaf(8), builder.constant(8, 9))
    inner = Scripted([Unknown("hard", "inner")])
    solver = SyntacticSolver(builder.arena, inner, Eliminated())
    assert solver.solve(Query(((low, True), (true, False)), b"")) == Unsat("syntactic")
    assert solver.solve(Query(((true, True),), b"ab")) == Sat(b"ab", "syntactic")
    solver.solve(Query(((true, True), (low, True)), b""))
    assert inner.queries == [Query(((low, True),), b"")]


def _naive_syntax(builder, literals):
    """The normal form of a query, from scratch: its literals, or None for a contradiction."""
    polarity = {}
    for expression, holds in literals:
        while builder.nodes["op"][expression] == Op.NOT:
            expression, holds = int(builder.nodes["a"][expression]), not holds
        if builder.nodes["op"][expression] == Op.CONST:
            if bool(builder.nodes["value"][expression]) != holds:
                return None
        elif polarity.setdefault(expression, holds) != holds:
            return None
    return set(polarity.items())


def test_syntactic_answers_do_not_depend_on_earlier_queries():
    source = random.Random(8)
    builder = ArenaBuilder()
    pool = [builder.equals(builder.leaf(8), value) for value in range(6)]
    pool += [builder.make(Op.NOT, 1, expression) for expression in pool]
    pool += [builder.constant(1, 0), builder.constant(1, 1)]
    inner = Scripted([Unknown("hard", "inner")])
    solver = SyntacticSolver(builder.arena, inner, Eliminated())
    prefix: list[tuple[int, bool]] = []
    verdicts = {True: 0, False: 0}
    for _ in range(2000):
        prefix = prefix[: source.randrange(len(prefix) + 1)]
        prefix += [(source.choice(pool), source.random() < 0.5) for _ in range(source.randrange(4))]
        query = (*prefix, (source.choice(pool), source.random() < 0.5))
        inner.queries.clear()
        answer = solver.solve(Query(query, b"x"))
        expected = _naive_syntax(builder, query)
        if expected is None:
            assert isinstance(answer, Unsat)
            assert _naive_syntax(builder, answer.core) is None or not answer.core
        elif not expected:
            assert answer == Sat(b"x", "syntactic")
        else:
            assert len(inner.queries[0].literals) == len(expected)
            assert set(inner.queries[0].literals) == expected
        verdicts[expected is None] += 1
    assert min(verdicts.values()) > 100


def _naive_slice(builder, prefix, target):
    support = builder.arena.support
    reached, chosen = set(support(target[0])), set()
    grown = True
    while grown:
        grown = False
        for literal in prefix:
            if literal not in chosen and reached & support(literal[0]):
                chosen.add(literal)
                reached |= support(literal[0])
                grown = True
    return (*(literal for literal in prefix if literal in chosen and literal != target), target)


def test_partition_equals_a_naive_slice_whatever_the_order_of_prefixes():
    source = random.Random(3)
    builder = ArenaBuilder()
    leaves = [builder.leaf(8) for _ in range(12)]
    literals = []
    for _ in range(40):
        a, b, c = source.choices(leaves, k=3)
        literals.append(
            (builder.compare(Op.ULT, builder.binary(Op.ADD, a, b) if source.random() < 0.3 else a, c), True)
        )
        literals.append((builder.equals(a, source.randrange(256)), source.random() < 0.5))
    partition = PrefixPartition(builder.arena)
    prefix: tuple = ()
    for _ in range(400):
        keep = source.randrange(len(prefix) + 1)
        prefix = prefix[:keep] + tuple(source.choices(literals, k=source.randrange(5)))
        target = source.choice(literals)
        partition.move_to(prefix)
        assert partition.slice_of(target) == _naive_slice(builder, prefix, target)


def test_slice_leaves_out_what_is_independent():
    builder = ArenaBuilder()
    x, y = builder.leaf(8), builder.leaf(8)
    on_x, on_y = (builder.equals(x, 1), True), (builder.equals(y, 2), True)
    inner = Scripted([Sat(b"\x01\x02", "inner")])
    solver = SlicedSolver(builder.arena, _checker(builder), inner, Eliminated())
    assert solver.solve(Query((on_x, on_y), b"\x01\x00")) == Sat(b"\x01\x02", "inner")
    assert inner.queries == [Query((on_y,), b"\x01\x00")]


def test_slice_asks_about_everything_when_the_parent_breaks_the_prefix():
    builder = ArenaBuilder()
    x, y = builder.leaf(8), builder.leaf(8)
    on_x, on_y = (builder.equals(x, 1), True), (builder.equals(y, 2), True)
    inner = Scripted([Sat(b"\x00\x02", "inner"), Sat(b"\x01\x02", "inner")])
    solver = SlicedSolver(builder.arena, _checker(builder), inner, Eliminated())
    assert solver.solve(Query((on_x, on_y), b"\x00\x00")) == Sat(b"\x01\x02", "inner")
    assert inner.queries[1].literals == (on_x, on_y)


def test_checked_refuses_wrong_models_and_broken_bounds():
    builder = ArenaBuilder()
    x = builder.leaf(8, LeafKind.UNSIGNED, (0, 5))
    query = Query(((builder.equals(x, 1), False),), b"\x01")
    for model, believed in ((b"\x02", True), (b"\x01", False), (b"\x09", False), (b"", True)):
        answer = CheckedSolver(_checker(builder), Scripted([Sat(model, "inner")])).solve(query)
        assert isinstance(answer, Sat if believed else Unknown)


def test_near_reverts_leaves_and_bytes_that_need_not_change():
    builder = ArenaBuilder()
    x, y, z = builder.leaf(8), builder.leaf(32), builder.leaf(16)
    high_byte = builder.make(Op.EXTRACT, 8, y, 24)
    literals = ((builder.compare(Op.ULT, builder.binary(Op.ADD, x, high_byte), builder.constant(8, 7)), False),)
    parent = b"\x01" + b"\x11\x12\x13\x04" + b"\x21\x22"
    model = b"\x02" + b"\xa1\xa2\xa3\xa4" + b"\x21\x22"
    solver = NearSolver(_checker(builder), Scripted([Sat(model, "inner")]))
    assert solver.solve(Query(literals, parent)) == Sat(b"\x01\x11\x12\x13\xa4\x21\x22", "inner")
    assert builder.width(z) == 16


def test_near_respects_bounds():
    builder = ArenaBuilder()
    x, y = builder.leaf(8), builder.leaf(8, LeafKind.UNSIGNED, (3, 9))
    literal = (builder.equals(builder.binary(Op.OR, x, builder.binary(Op.AND, y, builder.constant(8, 0))), 1), True)
    solver = NearSolver(_checker(builder), Scripted([Sat(b"\x01\x03", "inner")]))
    assert solver.solve(Query((literal,), b"\x00\x00")) == Sat(b"\x01\x03", "inner")


def test_recent_models_change_only_the_leaves_of_the_query():
    builder = ArenaBuilder()
    x, y = builder.leaf(8), builder.leaf(8)
    x_is_7, y_is_8 = (builder.equals(x, 7), True), (builder.equals(y, 8), True)
    inner = Scripted([Sat(b"\x07\x08", "inner"), Unknown("hard", "inner")])
    solver = RecentModels(_checker(builder), inner, 2)
    solver.solve(Query((x_is_7,), b"\x00\x00"))
    assert solver.solve(Query((y_is_8,), b"\x50\x51\x52")) == Sat(b"\x50\x08\x52", "model_cache")
    assert len(inner.queries) == 1
    assert solver.solve(Query(((builder.equals(x, 9), True),), b"")) == Unknown("hard", "inner")


def test_recent_models_are_a_few():
    builder = ArenaBuilder()
    x = builder.leaf(8)
    literals = [(builder.equals(x, value), True) for value in range(3)]
    inner = Scripted([Sat(bytes((value,)), "inner") for value in (0, 1, 2, 0)])
    solver = RecentModels(_checker(builder), inner, 2)
    answers = [solver.solve(Query((literal,), b"\x09")) for literal in (*literals, literals[2], literals[0])]
    assert [answer.by for answer in answers] == ["inner", "inner", "inner", "model_cache", "inner"]


def test_known_cores_answer_supersets_under_any_of_their_literals():
    a, b, c, d = ((number, True) for number in range(4))
    inner = Scripted([Unsat("inner", frozenset((a, b))), Unknown("hard", "inner"), Sat(b"", "inner")])
    solver = KnownAnswers(inner, 100)
    assert solver.solve(Query((c, a, b), b"")).by == "inner"
    assert solver.solve(Query((d, a, c, b), b"x")) == Unsat("core_cache", frozenset((a, b)))
    assert solver.solve(Query((b, a), b"")) == Unsat("core_cache", frozenset((a, b)))
    assert solver.solve(Query((c, a), b"")) == Unknown("hard", "inner")
    assert solver.solve(Query((c, a), b"other parent")) == Unknown("hard", "inner")
    assert len(inner.queries) == 2
    assert solver.solve(Query((d, c), b"")) == Sat(b"", "inner")


def test_an_unsat_answer_without_a_core_is_its_own_core():
    a, b, c = ((number, True) for number in range(3))
    inner = Scripted([Unsat("inner"), Sat(b"", "inner")])
    solver = KnownAnswers(inner, 1)
    solver.solve(Query((a, b), b""))
    assert solver.solve(Query((a, c, b), b"")).by == "core_cache"
    assert solver.solve(Query((a,), b"")) == Sat(b"", "inner")


def test_first_known_goes_on_after_unknown():
    hard, easy = Scripted([Unknown("hard", "first")]), Scripted([Unsat("second")])
    query = Query(((2, True),), b"")
    assert FirstKnown((hard, easy)).solve(query) == Unsat("second")
    assert FirstKnown((hard, Scripted([Unknown("harder", "third")]))).solve(query) == Unknown("hard", "first")


def test_counting_and_malformed_queries():
    builder = ArenaBuilder()
    solver = CountingSolver(SyntacticSolver(builder.arena, Scripted([Unsat("inner")]), Eliminated()))
    answer = solver.solve(Query(((77, True),), b""))
    assert isinstance(answer, Unknown)
    assert "expression 77" in answer.reason
    low = builder.equals(builder.leaf(8), 1)
    solver.solve(Query(((low, True), (low, False)), b""))
    counts = {name: (each.asked, each.sat, each.unsat, each.unknown) for name, each in solver.statistics.items()}
    assert counts == {"chain": (2, 0, 1, 1), "arena": (1, 0, 0, 1), "syntactic": (1, 0, 1, 0)}


def test_past_the_deadline_no_fall_back_is_asked():
    first, second = Scripted([Unknown("hard", "first")]), Scripted([Unsat("second")])
    solver = FirstKnown((first, second))
    assert solver.solve(Query((), b"", deadline=0.0)) == Unknown("hard", "first")
    assert solver.solve(Query((), b"")) == Unsat("second")
    assert (len(first.queries), len(second.queries)) == (2, 1)


def test_without_near_a_model_stays_as_the_back_end_made_it(monkeypatch):
    builder = ArenaBuilder()
    x, y = builder.leaf(8), builder.leaf(8)
    query = Query(((builder.compare(Op.ULE, x, y), True), (builder.equals(x, 7), True)), b"\x01\x09")
    monkeypatch.setattr("veer.smt.chain.back_ends", lambda *_: [Scripted([Sat(b"\x07\x63", "inner")])])
    evaluator = ReferenceEvaluator(builder.arena)
    assert chain(builder.arena, evaluator).solve(query) == Sat(b"\x07\x09", "inner")
    far = SmtOptions(without=frozenset({"near"}))
    assert chain(builder.arena, evaluator, far).solve(query) == Sat(b"\x07\x63", "inner")


def test_repeated_literals_are_counted_or_kept():
    builder = ArenaBuilder()
    x = builder.leaf(8)
    low, three = (builder.compare(Op.ULT, x, builder.constant(8, 9)), True), (builder.equals(x, 3), True)
    other = (builder.compare(Op.ULT, x, builder.constant(8, 8)), True)
    for without, kept in (frozenset(), (low, three)), (frozenset({"common"}), (low, low, three)):
        inner, eliminated = Scripted([Unsat("inner")]), Eliminated()
        solver = SyntacticSolver(builder.arena, inner, eliminated, without)
        for prefix in (low, low, other), (low, low), (low, low):
            solver.solve(Query((*prefix, three), b""))
        assert inner.queries[-1] == Query(kept, b"")
        assert eliminated == Eliminated(10, 10 - sum(len(query.literals) for query in inner.queries))


def test_without_the_syntactic_check_the_next_link_sees_the_contradiction():
    builder = ArenaBuilder()
    low = builder.compare(Op.ULT, builder.leaf(8), builder.constant(8, 9))
    inner = Scripted([Unsat("inner")])
    solver = SyntacticSolver(builder.arena, inner, Eliminated(), frozenset({"syntactic"}))
    assert solver.solve(Query(((low, True), (low, False)), b"")) == Unsat("inner")


def test_sampling_gives_models_that_hold_and_never_says_unsat():
    builder = ArenaBuilder()
    x, y = builder.leaf(32), builder.leaf(32)
    product = builder.make(Op.UREM, 32, builder.make(Op.MUL, 32, x, x), builder.constant(32, 101))
    target, kept = builder.equals(product, 5), builder.compare(Op.ULT, y, builder.constant(32, 9))
    checker = _checker(builder)
    answer = SamplingSolver(checker).solve(Query(((kept, True), (target, True)), bytes(8)))
    assert isinstance(answer, Sat)
    value = int.from_bytes(answer.input[:4], "little")
    assert (value * value % 2**32) % 101 == 5
    assert int.from_bytes(answer.input[4:8], "little") < 9
    never = builder.compare(Op.ULT, builder.constant(32, 200), product)
    assert isinstance(SamplingSolver(checker).solve(Query(((never, True),), bytes(8))), Unknown)


def test_sampling_tries_all_leaves_at_the_ends_of_their_ranges():
    """a * b + c * d of four 16-bit numbers overflows 32 bits where all of them are the least one, and nowhere else."""
    builder = ArenaBuilder()
    a, b, c, d = (builder.make(Op.SEXT, 32, builder.leaf(16)) for _ in range(4))
    left, right = builder.make(Op.MUL, 32, a, b), builder.make(Op.MUL, 32, c, d)
    total = builder.make(Op.ADD, 32, left, right)
    signs = (builder.make(Op.XOR, 32, part, total) for part in (left, right))
    overflows = builder.compare(Op.SLT, builder.make(Op.AND, 32, *signs), builder.constant(32, 0))
    answer = SamplingSolver(_checker(builder)).solve(Query(((overflows, True),), bytes(8)))
    assert isinstance(answer, Sat) and answer.input == b"\x00\x80" * 4


def test_sampling_keeps_to_bounds_and_to_the_deadline():
    builder = ArenaBuilder()
    digit = builder.leaf(8, bounds=(48, 57))
    odd = builder.make(Op.EXTRACT, 1, digit, 0)
    answer = SamplingSolver(_checker(builder)).solve(Query(((odd, True),), b"0"))
    assert isinstance(answer, Sat)
    assert answer.input in (b"1", b"3", b"5", b"7", b"9")
    late = SamplingSolver(_checker(builder)).solve(Query(((odd, True),), b"0", deadline=0.0))
    assert isinstance(late, Unknown)
