"""What veer reads may say anything: each reader answers with a value or with one of veer's own sentences.

Files that veer wrote are changed at random, and read again. `./check --long` tries many more.
"""

from __future__ import annotations

import copy
import json
import random
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_samples import result
from sampling import IS_LONG

from veer.campaign.deliver import export_each, suite_names
from veer.campaign.lastrun import LAST_RUN, LastRun, last_run
from veer.campaign.projects import project_file
from veer.campaign.seedfiles import digest_of, existing_inputs
from veer.frontends.c import compdb
from veer.frontends.llvm import exchange
from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.searchoptions import SearchOptions
from veer.search.partitioned.given import parse
from veer.specs.automaton import automaton_of
from veer.specs.language import Specification
from veer.specs.machine import machine_of
from veer.specs.reading import of_file, of_source
from veer.store import reader, saved
from veer.store.names import require_names
from veer.store.records import summary
from veer.store.whole import encode, of_what_was_read, read_whole
from veer.store.writer import as_json

EXAMPLES = 3000 if IS_LONG else 25
FUZZ = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not IS_LONG,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ODD = (
    *(None, True, -1, 0, 1 << 31, 1 << 63, 1 << 200, -(1 << 70), 1.5, float("1e308"), "", "*/", '"', "\\", "\n", "\0"),
    *("a\nb", "/* */", '\'; system("x"); //', "\ud7ff", "ü" * 300, "%s%n", "${x}", "../" * 40, [], {}, [[]], {"a": 1}),
)
WORDS = st.sampled_from(ODD)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all values within."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        yield from places(each, (*path, key))


def changed(text: bytes, dice: random.Random) -> bytes:
    """JSON with one to four values replaced, dropped, doubled or moved."""
    whole = json.loads(text)
    for _ in range(dice.randint(1, 4)):
        *way, last = dice.choice([each for each in places(whole) if each] or [("",)])
        holder = whole
        for key in way:
            holder = holder[key]
        kind = dice.random()
        if isinstance(holder, dict) and kind < 0.15:
            holder.pop(last, None)
        elif isinstance(holder, list) and kind < 0.3 and holder:
            holder.extend(holder[:4])
        elif isinstance(holder, dict | list) and (isinstance(holder, dict) or last < len(holder)):
            holder[last] = copy.deepcopy(dice.choice(ODD))
    return json.dumps(whole).encode()


def torn(text: bytes, dice: random.Random) -> bytes:
    """Bytes replaced, cut out or cut off."""
    data = bytearray(text)
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(data) or 1)
        if dice.random() < 0.3:
            del data[at : at + dice.randint(1, 40)]
        elif data:
            data[min(at, len(data) - 1)] = dice.randrange(256)
    return bytes(data[: dice.randrange(len(data) + 1)] if dice.random() < 0.2 else data)


def refused(reads: Callable[[], object]) -> str:
    """The sentence with which it is refused; "" where it gives a value."""
    try:
        reads()
    except VeerError as error:
        return str(error) or "no sentence"
    return ""


class Sample(NamedTuple):
    """Files as veer or others write them, and what reads them in their folder."""

    files: Mapping[str, bytes]
    read: Callable[[Path, random.Random], object]


def _export(folder: Path, dice: random.Random) -> None:
    with of_what_was_read(folder):
        found = read_whole(folder)
        require_names(found)
        for _ in export_each(found, [dice.choice(NEUTRAL)], lambda name: folder / "suite" / name):
            pass


NEUTRAL = tuple(name for name in suite_names() if name not in ("corpus", "junit4", "junit5", "testcomp"))
"""Suites that can hold a C function's tests."""


def _campaign() -> dict[str, bytes]:
    """A saved campaign of one part."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        part = saved.write(folder / "campaign" / "1-0.part", saved.Flat(b"bytes" * 100))
        build, search = BuildOptions((Path("a.c"),), "f"), SearchOptions()
        saved.commit(
            folder, saved.SavedCampaign(saved.SCHEMA, "me", str(Path.cwd()), build, search, {}, 1, 0.0, (), (part,))
        )
        return {f"campaign/{each.name}": each.read_bytes() for each in (folder / "campaign").iterdir()}


def _load(folder: Path, dice: random.Random) -> None:
    for each in saved.read(folder, "me").parts:
        saved.load_bytes(folder, each)


def _automata(specifications: Iterable[Specification]) -> None:
    for each in specifications:
        automaton_of(each, machine_of(each))


ENTRIES = [
    {"directory": "/b", "command": "cc -I../i -DX=1 -c a.c", "file": "a.c"},
    {"file": "b.c", "directory": "/b", "arguments": ["cc"]},
]
TOML = b"""[project]\nbudget = "5s"\njobs = 2\n\n[function.f]\nmax-length = 4\nnonnull = ["p"]\nrange = ["n=0..1"]\n"""
SPECIFICATIONS = (
    b"closed: always (call motor_on(s) where (s != 0) implies (not call door_open()) since call door_close())\n",
    b"twice: never (call free(p) where (p != 0) and previously ((not return malloc() == p) since call free(p)))\n",
    b"balanced: at end (not call lock() since call unlock() or historically not call lock())\n",
    b"locking: calls (lock unlock)*\n",
    b"files: complete (open (read | write)* close)*\n",
)


def _ktest(objects: list[tuple[str, bytes]]) -> bytes:
    """A file as KLEE writes it."""
    blocks = [part for name, data in objects for part in (name.encode(), data)]
    sized = b"".join(struct.pack(">I", len(part)) + part for part in blocks)
    head = struct.pack(">I", 3) + struct.pack(">I", 1) + struct.pack(">I", 4) + b"a.bc" + struct.pack(">II", 0, 0)
    return b"KTEST" + head + struct.pack(">I", len(objects)) + sized


def _text(file: Path) -> str:
    return file.read_bytes().decode(errors="replace")


SAMPLES = {
    "result": Sample({"result.json": encode(result())}, _export),
    "campaign": Sample(_campaign(), _load),
    "last run": Sample(
        {LAST_RUN: exchange.encode(LastRun("digest", {"a.c": "digest"}, "digest", 1, ("a line",)))},
        lambda folder, dice: last_run(folder),
    ),
    "summary": Sample({"summary.json": as_json(summary(result()))}, lambda folder, dice: reader.read(folder)),
    "compilation database": Sample(
        {"compile_commands.json": json.dumps(ENTRIES).encode(), "a.c": b"", "b.c": b""},
        lambda folder, dice: compdb.project(folder / "compile_commands.json", has_main=False),
    ),
    "settings": Sample(
        {"veer.toml": TOML, "a.c": b"int f(char *p, int n) { return *p + n; }"},
        lambda folder, dice: project_file([folder / "a.c"]),
    ),
    "specifications": Sample(
        {"some.spec": b"".join(SPECIFICATIONS)},
        lambda folder, dice: _automata(of_file(folder, _text(folder / "some.spec"))),
    ),
    "specifications in a source": Sample(
        {"a.c": b"/* " + b"".join(b"veer-spec: " + each for each in SPECIFICATIONS) + b"*/\nint x;\n"},
        lambda folder, dice: _automata(of_source(folder, _text(folder / "a.c"))),
    ),
    "inputs of KLEE": Sample(
        {"t.ktest": _ktest([("n", b"\0\1\2\3"), ("text", b"abc"), ("model_version", b"\1\0\0\0")])},
        lambda folder, dice: digest_of(existing_inputs([str(folder)])),
    ),
}


def _written(sample: Sample, folder: Path) -> None:
    for name, text in sample.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_was_not_changed_is_read(name: str, tmp_path: Path) -> None:
    """Else all changes of it would be refused for what nobody changed."""
    _written(SAMPLES[name], tmp_path)
    assert refused(lambda: SAMPLES[name].read(tmp_path, random.Random(1))) == ""


@pytest.mark.parametrize("name", SAMPLES)
@FUZZ
@given(seed=st.integers(0, 1 << 32), tears=st.booleans())
def test_what_was_changed_is_read_or_refused_with_one_sentence(
    name: str, seed: int, tears: bool, tmp_path: Path
) -> None:
    sample, dice = SAMPLES[name], random.Random(seed)
    _written(sample, tmp_path)
    file, text = dice.choice([each for each in sample.files.items() if each[1]])
    is_json = file.endswith(".json") and not tears
    (tmp_path / file).write_bytes((changed if is_json else torn)(text, dice))
    assert "\n" not in refused(lambda: sample.read(tmp_path, dice))[:200]


@FUZZ
@given(text=st.text())
def test_a_partition_is_read(text: str) -> None:
    for block in parse(text):
        assert block


@pytest.mark.parametrize("depth", [1 << 10, 1 << 17])
def test_what_is_nested_deeply_is_refused(depth: int, tmp_path: Path) -> None:
    deep = b"[" * depth + b"]" * depth
    for name in ("summary.json", "result.json", "compile_commands.json"):
        (tmp_path / name).write_bytes(deep)
    for reads in (reader.read, read_whole, lambda folder: compdb.read(folder / "compile_commands.json")):
        with pytest.raises(VeerError):
            reads(tmp_path)
    assert msgspec.json.decode(b"[]") == []
