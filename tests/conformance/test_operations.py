"""Every operation of C, recorded by veer, against the same operation in compiled code: equal to the bit.

For an input and the native result v, the recorded literal "result == e" must be true for e = v and false for another e:
to the engine's evaluator, and on samples to the Python evaluator and to every solver. VEER_LONG=1 takes more inputs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest
from back_ends import BACK_ENDS, INSTALLED, every_solver
from operations import Operation, groups, tagged
from random_dags import edge_value
from recorded_operations import WORDS, Native, Recorded, Recorder, Words, pack, recorder
from sampling import IS_LONG

from veer.execution.engine import EngineLibrary, Verdict
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.ieee import FORMATS
from veer.smt.protocol import Literal, Query, Sat, SmtOptions, Solver, Unsat

INPUTS = 400 if IS_LONG else 20
SAMPLE = 17  # every so many cases the Python evaluator is asked too
SOLVED = 60 if IS_LONG else 24  # operations of a group whose expressions the solvers are asked about
SOLVED_BY = {} if IS_LONG else {"cvc5": 8}  # other numbers of them: cvc5 is ten times slower
RELATIONS = 12 if IS_LONG else 5  # operations of a group that relations are made of
SMALL = 48  # values of each operand that brute force goes through
MASK = (1 << 64) - 1
CONCRETE = re.compile(r"(add|sub)_sat .*|f(ceil|floor|rint|roundeven|trunc) .*")
"""Operations whose result veer may make concrete: none is added unseen."""

GROUPS = groups()
every_group = pytest.mark.parametrize(
    "group",
    [pytest.param(name, marks=pytest.mark.xdist_group(name), id=name.replace(" ", "-")) for name in GROUPS],
    indirect=True,
    scope="module",
)


class Subject:
    """One group of operations, natively and as veer records them."""

    def __init__(self, name: str, chosen: list[Operation], native: Native, made: Recorder) -> None:
        self.name = name
        self.operations = chosen
        self.native = native
        self.recorder = made
        self.recorder.run((5, 3, 1, 2, 7))

    def recorded(self, number: int, words: Words) -> Recorded | None:
        """What veer records of an operation under an input, which is run if no earlier run says it."""
        found = self.recorder.recorded_for(number, words)
        if found is None and not CONCRETE.fullmatch(self.operations[number].name):
            self.recorder.run((*words, 0))
            found = self.recorder.recorded_for(number, words)
        return found


@pytest.fixture(scope="module")
def group(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Subject]:
    chosen = GROUPS[request.param]
    folder = tmp_path_factory.mktemp("operations")
    with recorder(chosen, folder) as made:
        yield Subject(request.param, chosen, Native(chosen, folder), made)


def inputs_of(operation: Operation, source: random.Random) -> list[Words]:
    """Pairs of edge values of the operands' width, and random ones."""

    def word() -> int:
        value = edge_value(source, operation.width)
        return (
            value
            if operation.width == 64 or source.random() < 0.5
            else value | source.getrandbits(64) << operation.width & MASK
        )

    made = [(word(), word(), edge_value(source, 64), edge_value(source, 64)) for _ in range(INPUTS)]
    return made + [(a, b & 127, c, d) for a, b, c, d in made[: INPUTS // 4]]


@every_group
def test_recorded_expressions_equal_compiled_code(
    group: Subject, record_property: Callable[[str, object], None]
) -> None:
    source = random.Random(71)
    reference = ReferenceEvaluator(group.recorder.arena)
    engine = group.recorder.engine
    cases, wrong, concrete = 0, [], set()
    for number, operation in enumerate(group.operations):
        words = inputs_of(operation, source)
        for given, result in zip(words, group.native.results(number, words), strict=True):
            if result is None:
                continue
            recorded = group.recorded(number, given)
            if recorded is None:
                concrete.add(operation.name)
                break
            expected = tagged(result, number)
            right, other = pack((*given, expected)), pack((*given, expected ^ 1 << source.randrange(64)))
            holds = engine.evaluate(recorded.literal, right), engine.evaluate(recorded.literal, other)
            if cases % SAMPLE == 0:
                holds += reference.evaluate(recorded.literal, right), reference.evaluate(recorded.literal, other)
            cases += 1
            if holds[0] == 0 and not group.recorder.is_symbolic(recorded):
                concrete.add(operation.name)
                break
            if holds[:2] != (1, 0) or holds[2:] not in ((), (1, 0)):
                wrong.append((operation.name, given, hex(result), holds))
    record_property("cases", cases)
    record_property("operations", len(group.operations))
    assert not wrong, wrong[:20]
    assert all(CONCRETE.fullmatch(name) for name in concrete), concrete


@every_solver
@every_group
def test_solvers_give_recorded_expressions_the_native_result(group: Subject, name: str) -> None:
    source = random.Random(72)
    solver = BACK_ENDS[name](group.recorder.arena, SmtOptions(time_limit=30_000))
    asked = 0
    for number in source.sample(range(len(group.operations)), SOLVED_BY.get(name, SOLVED)):
        given = source.choice(inputs_of(group.operations[number], source))
        (result,) = group.native.results(number, [given])
        recorded = group.recorded(number, given) if result is not None else None
        if result is None or recorded is None or not group.recorder.is_symbolic(recorded):
            continue
        data = pack((*given, tagged(result, number)))
        fixed = group.recorder.fixed(data)
        assert isinstance(solver.solve(Query((*fixed, (recorded.literal, True)), data)), Sat), number
        if not (group.operations[number].gives_float and _is_nan(result)):
            answer = solver.solve(Query((*fixed, (recorded.literal, False)), data))
            assert isinstance(answer, Unsat), (group.operations[number].name, given, answer)
        asked += 1
    assert asked > SOLVED_BY.get(name, SOLVED) // 4


def _is_nan(result: int) -> bool:
    """Whether a result may be a NaN, whose bits solvers leave open."""
    return FORMATS[64].is_nan(result) or FORMATS[32].is_nan(result & 0xFFFF_FFFF)


@every_group
def test_the_ladder_and_the_solvers_agree_with_brute_force(group: Subject) -> None:
    """Relations between a recorded result and a value, the operands small. The ladder may say that it does not know."""
    source = random.Random(73)
    made, engine = group.recorder, group.recorder.engine
    solvers = [BACK_ENDS[name](made.arena, SmtOptions(time_limit=30_000)) for name in INSTALLED]
    inputs = [pack((a, b, 0, 0, 0)) for a in range(SMALL) for b in range(SMALL)]
    prefix = tuple((made.below(word, SMALL), True) for word in range(2)) + made.fixed(bytes(8 * WORDS))[2:]
    asked = 0
    for number in source.sample(range(len(group.operations)), RELATIONS):
        recorded = group.recorded(number, (3, 2, 0, 0))
        if recorded is None or not made.is_symbolic(recorded):
            continue
        admitted = [data for data in inputs if engine.holds(recorded.conditions, data)]
        for relation in made.relations(recorded, source):
            values = [engine.evaluate(relation, data) for data in admitted]
            for polarity in (0, 1):
                parent = next((data for data, value in zip(admitted, values, strict=True) if value != polarity), None)
                if parent is None:
                    continue
                literals = (*prefix, *recorded.conditions, (relation, bool(polarity)))
                _assert_verdicts(literals, parent, expected=polarity in values, engine=engine, solvers=solvers)
                asked += 1
    assert asked > RELATIONS // 4 or group.name.startswith("floats")


def _assert_verdicts(
    literals: tuple[Literal, ...], parent: bytes, *, expected: bool, engine: EngineLibrary, solvers: list[Solver]
) -> None:
    """Ladder and solvers say whether there is a model, or nothing; and theirs are models."""
    ladder = engine.ladder(literals, parent)
    if ladder.verdict is not Verdict.UNKNOWN:
        assert (ladder.verdict is Verdict.SAT) == expected, (literals, ladder)
        assert not expected or engine.holds(literals, ladder.input)
    for solver in solvers:
        answer = solver.solve(Query(literals, parent))
        if isinstance(answer, Sat) and not engine.holds(literals, answer.input):
            continue  # a NaN's bits: CheckedSolver turns it into Unknown
        assert isinstance(answer, Sat if expected else Unsat), (literals, answer)
