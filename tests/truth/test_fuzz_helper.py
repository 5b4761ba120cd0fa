"""`veer fuzz-helper` beside the folders of a fuzzer: it gives what passes guards that no mutation guesses, and what it
gives does so in a plain build, too."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from sampling import sampled
from suite_builds import compiler_command

from veer.cli.app import main

GUARD = """
static int guarded(const unsigned char *p, unsigned long n) {
    static const unsigned char magic[8] = {0x89, 'V', 'E', 'R', 0x0d, 0x0a, 0x1a, 0x0a};
    unsigned sum = 1;
    if (n != 14) return 2;
    for (int k = 0; k < 8; k++)
        if (p[k] != magic[k]) return 3;
    for (int k = 8; k < 12; k++) sum = sum * 31 + p[k];
    if ((p[12] | p[13] << 8) != (sum & 0xffff)) return 4;
    return p[8] == 'x' && p[9] == 'y' ? 7 : 5;
}
"""
TARGET = """#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return guarded(data, size); }
"""
BUFFER = "int f(const void *p, int n) { return guarded(p, n); }"
PROGRAM = """#include <stdio.h>
int main(void) {
    unsigned char b[64];
    FILE *in = INPUT;
    return in ? guarded(b, fread(b, 1, 64, in)) : 1;
}"""
FROM_A_FILE = PROGRAM.replace("INPUT", 'fopen("picture", "rb")')
ENTRIES = {
    "target": (TARGET, (), "LLVMFuzzerTestOneInput(b, n)"),
    "buffer": (BUFFER, ("--entry", "f"), "f(b, (int)n)"),
    "program": (PROGRAM.replace("INPUT", "stdin"), (), ""),
    "file": (FROM_A_FILE, ("--symbolic-file", "picture=64"), ""),
}
REPLAY = """#include <stdio.h>
int main(void) {
    unsigned char b[64];
    unsigned long n = fread(b, 1, 64, stdin);
    return CALL;
}"""


def replayed(folder: Path, source: Path, call: str, inputs: list[Path]) -> set[int]:
    """What a build by a C compiler alone makes of these inputs: the exit codes."""
    unit, program = folder / "replay.c", folder / "replay"
    unit.write_text(f'#include "{source}"\n{REPLAY.replace("CALL", call)}' if call else source.read_text())
    subprocess.run([*compiler_command(), "-w", str(unit), "-o", str(program)], check=True, timeout=120)
    codes = set()
    for each in inputs:
        (folder / "picture").write_bytes(each.read_bytes())
        with each.open("rb") as stream:
            codes.add(subprocess.run([program], stdin=stream, cwd=folder, timeout=60, check=False).returncode)
    return codes


def afl(tmp_path: Path) -> Path:
    """What afl-fuzz leaves behind that is stuck: `-o out -M main`, with two inputs."""
    queue = tmp_path / "out" / "main" / "queue"
    (queue / ".state").mkdir(parents=True)
    (queue.parent / "is_main_node").touch()
    (queue.parent / "fuzzer_stats").write_text("start_time : 1\n")
    (queue / "id:000000,time:0,execs:0,orig:a").write_bytes(b"hello")
    (queue / "id:000001,src:000000,time:9,execs:7,op:havoc,rep:1,+cov").write_bytes(b"hello, hello!!")
    return tmp_path / "out"


@pytest.mark.parametrize("kind", sampled(ENTRIES, lambda kind: kind in ("target", "file")))
def test_it_gives_what_afl_is_stuck_on(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, words, call = ENTRIES[kind]
    source, out = tmp_path / "unit.c", afl(tmp_path)
    source.write_text(GUARD + text)
    command = ["fuzz-helper", str(source), "--afl", str(out), "--once", "--no-hybrid", *words]
    assert main(command) == 0
    queue = sorted((out / "veer" / "queue").iterdir())
    assert [file.name for file in queue] == [f"id:{number:06d},src:veer" for number in range(len(queue))]
    assert {4, 5, 7} <= replayed(tmp_path, source, call, queue)
    assert replayed(tmp_path, source, call, list((out / "main" / "queue").glob("id:*"))) == {2, 3}
    assert not [*(out / "veer").glob(".*")], "nothing half-written is left"
    said = capsys.readouterr().out
    assert "taken     2 inputs of the fuzzer" in said
    assert "ended     the search is spent" in said
    assert main(command) == 0
    assert sorted((out / "veer" / "queue").iterdir()) == queue, "no input twice, in a second session neither"
    assert f"taken     {2 + len(queue)} inputs" in capsys.readouterr().out


def test_inputs_of_bugs_do_not_end_libfuzzer(tmp_path: Path) -> None:
    source, corpus, crashes = tmp_path / "unit.c", tmp_path / "corpus", tmp_path / "crashes"
    corpus.mkdir()
    (corpus / "a").write_bytes(b"hello")
    source.write_text(f"#include <stdlib.h>\n{GUARD}{TARGET}".replace("? 7 : 5", "? (abort(), 7) : 5"))
    words = ["--libfuzzer", str(corpus), "--crashes", str(crashes), "--once", "--no-hybrid", "--quiet"]
    assert main(["fuzz-helper", str(source), *words]) == 0
    given = [file for file in corpus.iterdir() if file.name != "a"]
    assert all(file.name == hashlib.sha1(file.read_bytes()).hexdigest() for file in given)
    call = ENTRIES["target"][2]
    assert replayed(tmp_path, source, call, given) == {3, 4, 5}, "2 is what the fuzzer's own input does"
    (crash,) = crashes.iterdir()
    assert replayed(tmp_path, source, call, [crash]) == {-6}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--afl", "nowhere"], "--afl nowhere: there is no such folder"),
        (["--afl", "unit.c"], "--afl unit.c: that is no folder"),
        (["--afl", "empty"], "--afl empty: no instance of AFL++ has a queue there"),
        (["--afl", "out/main"], "no instance of AFL++ has a queue there; give out"),
        (["--afl", "out", "--name", "main"], "is an instance of AFL++: give another name"),
        (["--afl", "out", "--name", "../x"], "--name ../x: give the name of a folder"),
        (["--afl", "out", "--libfuzzer", "empty"], "beside which fuzzer?"),
        ([], "beside which fuzzer?"),
        (["--libfuzzer", "nowhere"], "--libfuzzer nowhere: there is no such folder"),
        (["--libfuzzer", "empty", "--crashes", "unit.c"], "unit.c"),
        (["--afl", "out", "--crashes", "x"], "--crashes is for --libfuzzer"),
        (["--libfuzzer", "empty", "--name", "x"], "--name is for --afl"),
        (["--afl", "out", "--entry", "number"], "number does not take one string of bytes"),
        (["--afl", "out", "--entry", "none"], "none"),
        (["--afl", "out", "--strategy", "none"], "none"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    afl(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "unit.c").write_text(GUARD + TARGET + "int number(int n) { return n; }")
    assert main(["fuzz-helper", "unit.c", *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.strip().splitlines()) == 1, told


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_corpus_that_nobody_may_write_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir(mode=0o500)
    (tmp_path / "unit.c").write_text(GUARD + TARGET)
    assert main(["fuzz-helper", str(tmp_path / "unit.c"), "--libfuzzer", str(corpus)]) == 2
    assert "veer may not write there" in capsys.readouterr().err
