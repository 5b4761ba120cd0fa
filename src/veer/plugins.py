"""Plug-ins by name: what a package offers by an entry point, veer's own first, loaded when it is asked for.

    [project.entry-points."veer.solvers"]        the group
    cvc5 = "veer.smt.solvers.cvc5:make"          a name, and the object that it stands for

What veer brings is registered in the same way, in its own pyproject.toml. To find that costs one small file; other
packages are looked through only for a name that veer has not, and for lists of all names. veer's names cannot be taken.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

from veer.model.errors import UsageError, VeerError

DISTRIBUTION = "veer-test"
"""What veer is called on the package index, where `veer` is somebody else's (decision 0486)."""
_OWN = "veer"
_INSTALLED_AS = (DISTRIBUTION, _OWN)
"""The second one: an installation of a checkout that is older than the name."""
_FINDER = "importlib.metadata:entry_points"
"""Python's own, loaded as a plug-in is: only where another package's is asked for."""
_FOR_OTHERS = frozenset({"veer.oracles"})
"""Groups in which veer itself offers nothing."""


class StaleInstallationError(VeerError):
    """veer's own entry points cannot be found, or are older than its source."""


def find(group: str, name: str) -> Any:
    """The object that a plug-in stands for.

    Raises:
        UsageError: there is none of that name, there are two, or it cannot be loaded.
        StaleInstallationError: veer's own are not registered.
    """
    own = _own(group)
    if name in own:
        return _load_own(group, name, own[name])
    offered = [(package, value) for package, point, value in _others(group) if point == name]
    if not offered:
        known = ", ".join(names(group)) or "none, for they come with packages of their own"
        raise UsageError(f"there is no {_noun(group)} `{name}`; known are {known}")
    if len(offered) > 1:
        packages = " and by ".join(sorted(package for package, _ in offered))
        raise UsageError(f"the {_noun(group)} `{name}` is offered by {packages}: uninstall one of them")
    package, value = offered[0]
    try:
        return _object(value)
    except Exception as error:  # whatever a package raises when it is imported
        raise UsageError(f"the {_noun(group)} `{name}` of {package} ({value}) cannot be loaded: {error}") from error


def names(group: str) -> tuple[str, ...]:
    """The names that a group has, each once: veer's own, then those of other packages. Raises as `each` does."""
    return tuple(each(group))


def own_names(group: str) -> tuple[str, ...]:
    """The names of veer's own, by which no other package is looked at. Raises StaleInstallationError as `each` does."""
    return tuple(_own(group))


def each(group: str) -> Iterator[str]:
    """The same one by one; other packages are looked through when it comes to them.

    Raises:
        StaleInstallationError: veer's own are not registered.
    """
    own = _own(group)
    yield from own
    yield from sorted({name for _, name, _ in _others(group)} - set(own))


def _noun(group: str) -> str:
    """What a user calls one of a group: "veer.solvers" → "solver"."""
    noun = group.rpartition(".")[2]
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun.removesuffix("es") if noun.endswith("ches") else noun.removesuffix("s")


def _load_own(group: str, name: str, value: str) -> Any:
    try:
        return _object(value)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == _OWN:
            raise StaleInstallationError(_stale(f"{error.name}, the {_noun(group)} `{name}`, is not there")) from error
        raise UsageError(
            f"the {_noun(group)} {name} is not installed (it needs the Python package {missing}): "
            f"run `pip install '{DISTRIBUTION}[{name}]'`"
        ) from error


def _object(value: str) -> Any:
    module, _, attribute = value.partition(":")
    return attrgetter(attribute)(import_module(module))


def _own(group: str) -> dict[str, str]:
    """veer's own entry points of a group: name → value."""
    found = _registered().get(group)
    if not found and group in _FOR_OTHERS:
        return {}
    if not found:
        raise StaleInstallationError(_stale(f"no {_noun(group)} of veer's own is registered"))
    return found


def _stale(what: str) -> str:
    return f"{what}: veer's installation is older than its source; install it again (in a checkout: `pip install -e .`)"


@cache
def _registered() -> dict[str, dict[str, str]]:
    """veer's entry points: group → name → value.

    Read without importlib.metadata, which takes longer to import than all else that veer does before it compiles.
    """
    for package in _INSTALLED_AS:
        for folder in sys.path:
            for file in sorted(Path(folder or ".").glob(f"{package.replace('-', '_')}-*.dist-info/entry_points.txt")):
                return _parsed(file.read_text())
    return {}


def _parsed(text: str) -> dict[str, dict[str, str]]:
    """Sections of an entry_points.txt (packaging.python.org, "Entry points specification": a simple INI file)."""
    groups: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = groups.setdefault(line.strip("[]"), {})
        elif line and line[0] not in "#;":
            name, _, value = line.partition("=")
            section[name.strip()] = value.strip()
    return groups


def _others(group: str) -> Iterator[tuple[str, str, str]]:
    """What other packages offer: (package, name, value)."""
    entry_points = _object(_FINDER)
    for point in entry_points(group=group):
        package = point.dist.name if point.dist is not None else "?"
        if package not in _INSTALLED_AS:
            yield package, point.name, point.value
