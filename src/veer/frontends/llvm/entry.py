"""An entry that the harness calls in place: its units of IR, the program that they make, what tests are replayed in.

front end ──► EntryPlan: harness, unit ──► executor ──► Program
                                       └──────────────► the same units without instrumentation
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from veer.frontends.llvm import debuginfo
from veer.frontends.llvm.executor import Made, executor, replay_builds
from veer.frontends.llvm.replay.builds import Parts
from veer.frontends.llvm.replay.made import ReplayBuilds
from veer.frontends.llvm.unit import UnitRequest
from veer.frontends.protocol import Built
from veer.model.buildoptions import BuildOptions
from veer.model.errors import ToolchainError
from veer.model.program import Function, HarnessKind, Parameter, Program, Site
from veer.model.specification import Watching
from veer.model.state import StateBefore
from veer.model.types import Type
from veer.model.unitfacts import UnitFacts
from veer.toolchain.compiler import Toolchain

HARNESS = "the harness"
"""What messages call its unit."""


def _as_they_are(sites: tuple[Site, ...]) -> tuple[Site, ...]:
    return sites


class EntryPlan(Struct, frozen=True):
    """An entry with its inputs, and the units of its program.

    `entry`: its function in the unit's debug info; `returns`: a type's id, -1 for nothing; `bounds`, `notes`, `facts`,
    `parameter_facts`,
    `asked`: see Program; `name_sites`: the executor's sites → the same in the words of the language;
    `shared`: units that programs of other entries have, too, and `more_functions`: what they define;
    `preconditions`, `watching`, `state`, `outputs`: see Program; `called`: the inputs of functions that may be
    called before; `names`: functions that are called otherwise in IR → what the user calls them.
    """

    language: str
    options: BuildOptions
    entry: str
    parameters: tuple[Parameter, ...]
    returns: int
    types: tuple[Type, ...]
    harness: UnitRequest
    unit: UnitRequest
    bounds: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    facts: UnitFacts | None = None
    parameter_facts: UnitFacts | None = None
    name_sites: Callable[[tuple[Site, ...]], tuple[Site, ...]] = _as_they_are
    asked: tuple[str, ...] = ()
    shared: tuple[UnitRequest, ...] = ()
    more_functions: tuple[Function, ...] = ()
    preconditions: tuple[str, ...] = ()
    watching: Watching | None = None
    state: StateBefore | None = None
    called: Mapping[str, tuple[Parameter, ...]] = field(default_factory=dict)
    outputs: tuple[Parameter, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    def make(self, toolchain: Toolchain) -> Made:
        """The executor. Raises what `executor` raises."""
        return executor((self.harness, *self.shared, self.unit), toolchain).named(self.names)

    def program(self, made: Made, seconds: float) -> Program:
        """The program of the executor, which took so long to make."""
        return Program(
            entry=self.entry,
            harness=HarnessKind.FUNCTION,
            sources=(self.options.sources[0].absolute(),),
            executable=made.executable,
            functions=self.functions(made),
            types=self.types,
            sites=self.name_sites(made.sites),
            uninstrumented=self.options.uninstrumented,
            bounds=self.bounds,
            notes=self.notes,
            addresses=made.addresses,
            loops=made.loops,
            contents=made.contents,
            language=self.language,
            facts=self.facts,
            parameter_facts=self.parameter_facts,
            asked=self.asked,
            preconditions=self.preconditions,
            watching=self.watching,
            state=self.state,
            outputs=self.outputs,
            seconds=seconds,
            cached=made.cached,
        )

    def functions(self, made: Made) -> tuple[Function, ...]:
        """The functions with code: the entry with its inputs, all others by name and place alone."""
        own = [self._function(each) for each in debuginfo.read(self.unit.ir).functions()]
        return tuple(made.with_graph(each) for each in (*own, *self.more_functions))

    def made_again(self, built: Built, toolchain: Toolchain) -> Made:
        """The executor of a program that was built before. Raises ToolchainError when the source has changed."""
        made = self.make(toolchain)
        if self.name_sites(made.sites) != built.program.sites:
            source = built.program.sources[0]
            raise ToolchainError(f"{source} is not what it was when the search began: run the test again")
        return made

    def replay_builds(self, built: Built, toolchain: Toolchain) -> ReplayBuilds:
        """What tests of the program are replayed in natively. Raises ToolchainError."""
        made = self.made_again(built, toolchain)
        return replay_builds(made, Parts((self.unit,), (self.harness,)), toolchain)

    def _function(self, found: debuginfo.DebugFunction) -> Function:
        name = self.names.get(found.name, found.name)
        is_entry = name == self.entry
        parameters, returns = (self.parameters, self.returns) if is_entry else (self.called.get(name, ()), -1)
        return Function(name, found.file, found.line, parameters, returns, is_static=False)
