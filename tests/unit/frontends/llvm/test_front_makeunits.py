"""Units are made alike in one process and in several, and a few small ones are not worth a process."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.frontends.llvm import makeunits
from veer.frontends.llvm.compiled import compile_module
from veer.frontends.llvm.unit import MadeUnit, UnitRequest, make_unit
from veer.toolchain.cache import Cache


def requests(folder: Path) -> list[UnitRequest]:
    """Two units of a few lines."""
    found = []
    for name in ("one", "two"):
        source = folder / f"{name}.c"
        source.write_text(f"int {name}(int x) {{ return x > 1 ? {len(name)} : x; }}\n")
        found.append(UnitRequest(name, compile_module(toolchain(), source, ()).ir))
    return found


def noted(log: Path, request: UnitRequest, key: str, cache: Cache) -> MadeUnit:
    """Makes a unit, and writes down which process does."""
    with log.open("a") as file:
        file.write(f"{os.getpid()}\n")
    return make_unit(request, key, cache)


@pytest.mark.parametrize("are_small", [True, False])
def test_small_units_are_made_in_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, are_small: bool) -> None:
    asked, log, cache = requests(tmp_path), tmp_path / "log", Cache(tmp_path / "cache")
    monkeypatch.setattr(makeunits, "make_unit", partial(noted, log))
    monkeypatch.setattr(makeunits.os, "sched_getaffinity", lambda _: {0, 1})
    if not are_small:
        monkeypatch.setattr(makeunits, "SMALL", 0)
    made = makeunits.make_units(asked, "version", cache, lambda _: None)
    assert [unit.label for unit in made] == ["one", "two"]
    assert all(Path(unit.object).read_bytes().startswith(b"\x7fELF") for unit in made)
    assert (set(log.read_text().split()) == {str(os.getpid())}) == are_small
    log.write_text("")
    assert makeunits.make_units(asked, "version", cache, lambda _: None) == made
    assert not log.read_text(), "what is in the cache is not made again"
