"""What veer reads may say anything: each reader answers with a value or with one of veer's own sentences.

Files that veer wrote are changed at random, and read again. `./check --long` tries many more.
"""

from __future__ import annotations

import copy
import json
import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_samples import result
from sampling import IS_LONG

from veer.campaign.deliver import export_each, suite_names
from veer.campaign.projects import project_file
from veer.campaign.seedfiles import digest_of, existing_inputs, longest
from veer.frontends.c import compdb
from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.searchoptions import SearchOptions
from veer.search.partitioned.given import parse
from veer.specs.automaton import automaton_of
from veer.specs.machine import machine_of
from veer.specs.reading import of_file, of_source
from veer.store import reader, saved
from veer.store.names import require_names
from veer.store.whole import encode, of_what_was_read, read_whole

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


def answers(reads: Callable[[], object]) -> None:
    """It gives a value, or one sentence."""
    try:
        reads()
    except VeerError as error:
        assert str(error) and "\n" not in str(error)[:200]


@FUZZ
@given(seed=st.integers(0, 1 << 32), tears=st.booleans())
def test_a_result_that_was_changed_is_written_or_refused(seed: int, tears: bool, tmp_path: Path) -> None:
    dice = random.Random(seed)
    (tmp_path / "result.json").write_bytes((torn if tears else changed)(encode(result()), dice))

    def export() -> None:
        with of_what_was_read(tmp_path):
            found = read_whole(tmp_path)
            require_names(found)
            for _ in export_each(found, [dice.choice(suite_names())], lambda name: tmp_path / "suite" / name):
                pass

    answers(export)


@FUZZ
@given(seed=st.integers(0, 1 << 32), tears=st.booleans())
def test_a_saved_campaign_that_was_changed_is_read_or_refused(seed: int, tears: bool, tmp_path: Path) -> None:
    dice = random.Random(seed)
    part = saved.write(tmp_path / "campaign" / "1-0.part", saved.Flat(b"bytes" * 100))
    build, search = BuildOptions((Path("a.c"),), "f"), SearchOptions()
    campaign = saved.SavedCampaign(saved.SCHEMA, "me", str(Path.cwd()), build, search, {}, 1, 0.0, (), (part,))
    saved.commit(tmp_path, campaign)
    index = tmp_path / "campaign" / "campaign.json"
    index.write_bytes((torn if tears else changed)(index.read_bytes(), dice))
    if dice.random() < 0.5:
        (tmp_path / "campaign" / "1-0.part").write_bytes(torn(b"x" * 300, dice))

    def load() -> None:
        found = saved.read(tmp_path, "me")
        for each in found.parts:
            saved.load_bytes(tmp_path, each)

    answers(load)


@FUZZ
@given(seed=st.integers(0, 1 << 32))
def test_a_summary_that_was_changed_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_bytes(
        torn(b'{"schema": 1, "entry": "f", "tests": [], "bugs": [{}]}', random.Random(seed))
    )
    answers(lambda: reader.read(tmp_path))


ENTRIES = [
    {"directory": "/b", "command": "cc -I../i -DX=1 -c a.c", "file": "a.c"},
    {"file": "b.c", "arguments": ["cc"]},
]


@FUZZ
@given(seed=st.integers(0, 1 << 32), tears=st.booleans())
def test_a_compilation_database_that_was_changed_is_read_or_refused(seed: int, tears: bool, tmp_path: Path) -> None:
    file = tmp_path / "compile_commands.json"
    file.write_bytes((torn if tears else changed)(json.dumps(ENTRIES).encode(), random.Random(seed)))
    answers(lambda: compdb.project(file, has_main=False))


@FUZZ
@given(text=st.text())
def test_a_partition_is_read(text: str) -> None:
    for block in parse(text):
        assert block


TOML = b"""[options]\nbudget = "5s"\nmax_length = 4\n[contracts.f]\nnonnull = ["p"]\nrange = ["n=0..1"]\n"""


@FUZZ
@given(seed=st.integers(0, 1 << 32))
def test_settings_that_were_changed_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    (tmp_path / "veer.toml").write_bytes(torn(TOML, random.Random(seed)))
    (tmp_path / "a.c").write_text("")
    answers(lambda: project_file([tmp_path / "a.c"]))


SPECIFICATIONS = b"""# of a lift
closed: always (call motor_on(s) where (s != 0) implies (not call door_open()) since call door_close())
twice: never (call free(p) where (p != 0) and previously ((not return malloc() == p) since call free(p)))
balanced: at end (not call lock() since call unlock() or historically not call lock())
locking: calls (lock unlock)*
files: complete (open (read | write)* close)*
some: calls (a b{2,3} c?)+
"""


@FUZZ
@given(seed=st.integers(0, 1 << 32), in_comment=st.booleans())
def test_specifications_that_were_changed_are_read_or_refused(seed: int, in_comment: bool, tmp_path: Path) -> None:
    text = torn(SPECIFICATIONS, random.Random(seed)).decode(errors="replace")
    file = tmp_path / "some.spec"

    def read() -> None:
        found = of_source(file, f"/* veer-spec: {text} */\nint x;\n") if in_comment else of_file(file, text)
        for each in found:
            automaton_of(each, machine_of(each))

    answers(read)


def _ktest(objects: list[tuple[str, bytes]]) -> bytes:
    """A file as KLEE writes it."""
    blocks = [part for name, data in objects for part in (name.encode(), data)]
    sized = b"".join(struct.pack(">I", len(part)) + part for part in blocks)
    head = struct.pack(">I", 3) + struct.pack(">I", 1) + struct.pack(">I", 4) + b"a.bc" + struct.pack(">II", 0, 0)
    return b"KTEST" + head + struct.pack(">I", len(objects)) + sized


@FUZZ
@given(seed=st.integers(0, 1 << 32))
def test_inputs_of_klee_that_were_changed_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "test000001.ktest"
    file.write_bytes(
        torn(_ktest([("n", b"\0\1\2\3"), ("text", b"abc"), ("model_version", b"\1\0\0\0")]), random.Random(seed))
    )
    answers(lambda: [digest_of(existing_inputs([str(file)])), longest(existing_inputs([str(tmp_path)]))])


@pytest.mark.parametrize("depth", [1 << 10, 1 << 17])
def test_what_is_nested_deeply_is_refused(depth: int, tmp_path: Path) -> None:
    deep = b"[" * depth + b"]" * depth
    for name in ("summary.json", "result.json", "compile_commands.json"):
        (tmp_path / name).write_bytes(deep)
    for reads in (reader.read, read_whole, lambda folder: compdb.read(folder / "compile_commands.json")):
        with pytest.raises(VeerError):
            reads(tmp_path)
    assert msgspec.json.decode(b"[]") == []
