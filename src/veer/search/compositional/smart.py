"""The top-down, demand-driven search of SMART (section 3.3, figures 1 to 3) over tries of paths instead of one stack.

close(context):   a context = a call in the caller's trie, what is known there of the inputs, and a run that comes there
    while a side of the function's trie can be taken within the context:
        run it; add its path; close the contexts of the calls on it, the first one first (backtracking inside f first)
    then every path of the function that the context admits is known: its summary stands for it in the caller's
    conditions

A context whose condition implies the preconditions that are known already (no open side can be taken) costs one query
and no run. A run that takes another path within a call that is summarised is as good as predicted: the caller's own
steps are compared, and what the call gave back is in their conditions (footnote 6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct, field

from veer.execution.engine import EngineLibrary
from veer.execution.protocol import Executor
from veer.model.ending import EndingKind
from veer.model.values import replace
from veer.search.compositional.activations import Activation, Decision
from veer.search.compositional.loops import FormError
from veer.search.compositional.runs import EndedError, RedrawnError, Run, Runs
from veer.search.compositional.terms import NoRoomError, Terms
from veer.search.compositional.trie import Closing, ConflictError, Node, Side, SummaryStore, Trie, Tries
from veer.smt.protocol import Answer, Query, Sat, Unknown, Unsat
from veer.wire.layout import NONE, Kind, Loss, Refusal, Table
from veer.wire.shared import Shared

_PATIENCE = 4  # times the first limit of the solver
MOST_PATHS = 5000
"""Of one function in one shape: the bound of section 3.5."""


class _StaleError(Exception):
    """A run left its path, and some paths are from disk: none is to be."""


class Context(Struct, eq=False):
    """A call of a function as far as its caller's steps tell it (an entry of the paper's context stack)."""

    trie: Trie
    run: Run
    caller: Context | None = None
    node: Node | None = None  # of the caller's trie
    conditions: tuple[int, ...] = ()  # over the program's inputs
    inputs: dict[int, int] = field(default_factory=dict)  # slots → terms over the program's inputs
    memo: dict[int, int] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)  # nodes whose sides are waiting or were tried (by id)
    waiting: list[Node] = field(default_factory=list)
    tried: set[int] = field(default_factory=set)  # nodes whose sides were tried one by one (by id)
    closed: set[int] = field(default_factory=set)  # nodes whose call is closed in this context (by id)
    runs: list[Run] = field(default_factory=list)  # made further down, not yet looked at here


class Counts(Struct):
    """What the search asked, by edge."""

    infeasible: Counter[int] = field(default_factory=Counter)
    unknown: Counter[int] = field(default_factory=Counter)
    largest_query: int = 0  # distinct terms


class SmartSearch:
    """One compositional search."""

    def __init__(
        self,
        shared: Shared,
        executor: Executor,
        engine: EngineLibrary,
        terms: Terms,
        solve: Callable[[Query], Answer],
        must_end: Callable[[], EndingKind | None],
        deadline: float,
        closing: Closing | None = None,
        store: SummaryStore | None = None,
    ) -> None:
        """`must_end`: the kind of ending that is forced now; `closing`: of loops, if they are."""
        self._closing = closing
        self._store = store
        self._shared = shared
        self._engine = engine
        self._terms = terms
        self._solve = solve
        self._must_end = must_end
        self._deadline = deadline
        self._guard_siblings = shared.options.guard_siblings
        self._answers: dict[tuple[frozenset[int], int], Answer] = {}  # of the solver, by conditions and target
        self._explored: set[Trie] = set()
        self.tries = Tries(terms, closing, store)
        self.runs = Runs(shared, executor)
        self.counts = Counts()

    def search(self) -> EndingKind:
        """Searches until an ending; its kind. Raises RefusedError."""
        try:
            while not self._attempt():  # each time, more of the functions is known
                self.runs.forget()
        except EndedError as ended:
            return ended.kind
        except NoRoomError:
            self._shared.note_loss(Loss.CAPACITY, Table.ARENA)
            return EndingKind.BUDGET
        return EndingKind.EXHAUSTED

    def _attempt(self) -> bool:
        """One search with the boundaries as they are drawn now; False: they are drawn anew."""
        self.tries = Tries(self._terms, self._closing, self._store)
        self._explored = set()
        self.counts = Counts(largest_query=self.counts.largest_query)
        try:
            runs = [self._run(input, NONE) for input in self.runs.inputs() or [b""]]
            for run in runs:
                self._learn(run)
            base = Context(self.tries.of(runs[0].root), runs[0], runs=runs[1:])
            self._take_in(base, runs[0])
            self._close(base)
        except RedrawnError:
            return False
        except _StaleError:
            self._store = None
            return False
        except FormError as error:
            self._shared.region("refusals")[error.function] = Refusal.FORM
            return False
        return True

    # -- contexts -------------------------------------------------------------------------------------------------

    def _close(self, context: Context) -> None:
        """Runs whatever paths of the function the context admits and that are not known."""
        while True:
            if context.runs:
                self._take_in(context, context.runs.pop())
            elif context.waiting:
                self._try_sides(context, context.waiting.pop())
            else:
                return

    def _enter(self, context: Context, node: Node, run: Run) -> None:
        """Sees to it that all paths of the call at `node` are known that this context admits (figure 2, case call)."""
        if id(node) in context.closed:
            return
        context.closed.add(id(node))
        assert node.call is not None
        conditions = context.trie.known(node).conditions
        inputs = {
            slot: self._terms.substitute(term, context.inputs, context.memo)
            for slot, term in context.trie.inputs_of(node).values.items()
        }
        within = (*context.conditions, *self._outside(context, conditions))
        inner = Context(node.call, run, context, node, within, inputs)
        is_first = node.call not in self._explored
        self._explored.add(node.call)
        self._take_in(inner, run)
        if is_first:
            self._close(inner)
        self._cover(inner)
        context.waiting.append(node)

    def _cover(self, context: Context) -> None:
        """Finds the paths that are feasible here and were not in other contexts: one query for all open sides, and on
        (section 3.3: "the current symbolic calling context implies the disjunction of preconditions")."""
        while True:
            while context.runs:
                self._take_in(context, context.runs.pop())
            some = context.trie.untaken(context.tried)
            if some == self._terms.false:
                return
            answer = self._ask(context, (), some)
            sides = [side for node in context.trie.nodes() for side in context.trie.sides(node)]
            if isinstance(answer, Unsat):
                for side in sides:
                    if side.edge is not None:
                        self.counts.infeasible.setdefault(side.edge, 1)
                return
            before = context.trie.state
            if isinstance(answer, Sat):
                self._take_in(context, self._run(answer.input, context.trie.function, context))
            if context.trie.state == before:
                context.waiting += {id(side.node): side.node for side in sides}.values()
                context.seen |= {id(side.node) for side in sides}
            self._close(context)

    # -- runs -----------------------------------------------------------------------------------------------------

    def _run(self, input: bytes, function: int, context: Context | None = None) -> Run:
        """Runs an input for the sake of a function; the contexts around get to see the run, too."""
        if kind := self._must_end():
            raise EndedError(kind)
        run = self.runs.get(input)
        if run is None:
            run = self.runs.make(input, function, with_edges=self._store is not None)
            self._learn(run)
        while context is not None and context.caller is not None:
            context = context.caller
            context.runs.append(run)
        return run

    def _learn(self, run: Run) -> None:
        """Adds the paths of all activations: a path is one of the function's whoever called it."""
        self.tries.covered |= run.edges or set()
        for activation in run.activations():
            trie = self.tries.of(activation)
            try:
                for _ in trie.follow(activation, run.input):
                    pass
            except ConflictError:
                self._diverged(trie)
            if trie.paths > MOST_PATHS and trie.function != NONE:
                self._shared.region("refusals")[trie.function] = Refusal.LARGE
                raise RedrawnError

    def _take_in(self, context: Context, run: Run) -> None:
        """Adds the run's path to the function's trie, and closes the contexts of the calls on it in their order."""
        activation = self._located(context, run)
        if activation is None:
            self._diverged(context.trie)
            return
        trie = context.trie
        steps = [*activation.steps, None]
        try:
            for node, step in zip(trie.follow(activation, run.input), steps, strict=True):
                if isinstance(step, Activation):
                    trie.see(node, step, run.input)
                    self._enter(context, node, run)
                elif isinstance(step, Decision):
                    trie.see(node, step, run.input)
                    if id(node) not in context.seen:
                        context.seen.add(id(node))
                        context.waiting.append(node)
        except ConflictError:
            self._diverged(trie)

    def _located(self, context: Context, run: Run) -> Activation | None:
        """The activation that the context is about, if the run comes to it by the callers' own steps."""
        if context.caller is None:
            return run.root
        around = self._located(context.caller, run)
        if around is None:
            return None
        way: list[Node] = []
        node = context.node
        while node is not None:
            way.append(node)
            node = node.parent
        way.reverse()
        if len(around.steps) < len(way):
            return None
        for step, here, after in zip(around.steps, way, way[1:], strict=False):
            try:
                key = context.caller.trie.see(here, step)
            except ConflictError:
                return None
            if here.children.get(key) is not after:
                return None
        found = around.steps[len(way) - 1]
        is_it = isinstance(found, Activation) and self.tries.of(found) is context.trie
        return found if is_it and isinstance(found, Activation) else None

    def _diverged(self, trie: Trie) -> None:
        if any(each.from_disk for each in self.tries):
            raise _StaleError
        self._shared.counts.diverged += 1
        self._shared.note_loss(Loss.DIVERGENCE, trie.function)

    # -- sides ----------------------------------------------------------------------------------------------------

    def _try_sides(self, context: Context, node: Node) -> None:
        context.tried.add(id(node))
        for side in list(context.trie.sides(node)):
            if side.key in node.children:
                continue
            if self._is_cut(node, side):
                continue
            answer = self._ask(context, side.conditions, side.target, node.input)
            if isinstance(answer, Sat):
                self._take_in(context, self._run(answer.input, context.trie.function, context))
                if side.key not in node.children:
                    self._diverged(context.trie)
            elif side.edge is not None:
                (self.counts.infeasible if isinstance(answer, Unsat) else self.counts.unknown)[side.edge] += 1

    def _is_cut(self, node: Node, side: Side) -> bool:
        """Whether this would be one value too many of one address (Explorer: the state CUT)."""
        decision = node.decision
        if decision is None or decision.kind != Kind.GUARD or side.key != 0:
            return False
        term = self._terms.compared(decision.literal)
        refused, at = 1, node.parent
        while term and at is not None and at.decision is not None and at.decision.kind == Kind.GUARD:
            is_another = at.decision.site == decision.site and self._terms.compared(at.decision.literal) == term
            refused += is_another
            at = at.parent
        if refused < self._guard_siblings:
            return False
        self._shared.note_loss(Loss.ADDRESS, decision.site)
        return True

    # -- queries --------------------------------------------------------------------------------------------------

    def _outside(self, context: Context, conditions: tuple[int, ...]) -> list[int]:
        """The conditions over the program's inputs."""
        return [self._terms.substitute(each, context.inputs, context.memo) for each in conditions]

    def _ask(self, context: Context, conditions: tuple[int, ...], target: int, parent: bytes | None = None) -> Answer:
        """An input of the context that satisfies the conditions and the target."""
        if kind := self._must_end():
            raise EndedError(kind)
        terms = self._terms
        literals = dict.fromkeys((*context.conditions, *self._outside(context, conditions)))
        literals.pop(terms.true, None)
        (last,) = self._outside(context, (target,))
        if terms.false in literals or last == terms.false:
            return Unsat("summary")
        literals.pop(last, None)
        asked = frozenset(literals), last
        if asked in self._answers:
            return self._answers[asked]
        is_near = parent is not None and self._engine.holds([(each, True) for each in literals], parent)
        start = parent if parent is not None and is_near else context.run.input
        false = [each for each in literals if not self._engine.holds(((each, True),), start)]
        for each in false:
            del literals[each]
        last = terms.every((*false, last))
        if last == terms.true:
            return Sat(start, "summary")
        if last == terms.false:
            return Unsat("summary")
        query = Query((*((each, True) for each in literals), (last, True)), start, self._deadline)
        self.counts.largest_query = max(self.counts.largest_query, self._terms.size((*literals, last)))
        answer = self._solve(query)
        if isinstance(answer, Unknown) and answer.by_limit:
            answer = self._solve(replace(query, patience=_PATIENCE))
        if isinstance(answer, Unknown):
            if kind := self._must_end():
                raise EndedError(kind)  # nobody had the time
            self._shared.note_loss(Loss.SOLVER, context.trie.function)
        else:
            self._answers[asked] = answer
        return answer
