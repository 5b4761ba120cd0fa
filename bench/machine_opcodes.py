"""Each kind of instruction on random states, lifted, beside unicorn.

    python bench/machine_opcodes.py [--states 1000] [--most N] [ARCH...]

Programs are those of tests/programs that compile alone, at -O0, -O2 and -Os. One line for each mnemonic that differs;
an instruction that is refused is counted as such. The 8051 is not among them: unicorn has none (tests/truth have s51).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from machine_opcodes import Opcodes, differences, instructions_of  # noqa: E402 - a module of the tests

from veer.frontends.machine.linked import load  # noqa: E402
from veer.frontends.machine.validated import family  # noqa: E402
from veer.toolchain.compiler import find  # noqa: E402

TARGETS = {
    "arm": "arm-linux-musleabi",
    "thumb": "thumb-linux-musleabi",
    "x86-64": "x86_64-linux-musl",
    "powerpc": "powerpc-linux-musleabi",
    "riscv32": "riscv32-linux-musl",
    "riscv64": "riscv64-linux-musl",
    "aarch64": "aarch64-linux-musl",
}
_FLAGS = ("-fno-sanitize=all", "-fno-stack-protector", "-w", "-c")


def main() -> None:
    """Prints a line for each architecture, and what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(TARGETS), metavar="ARCH")
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--most", type=int, default=1 << 30, help="programs")
    given = parser.parse_args()
    for name in given.names:
        compared_, refused, wrong = one(name, given.states, given.most)
        names, counts = " ".join(sorted(compared_ - set(wrong))), f"{len(wrong)} differ, {len(refused)} refused"
        print(f"{name}: {len(compared_)} mnemonics, {given.states} states each, {counts}")
        print(f"  equal: {names}\n  refused: {' '.join(sorted(refused))}")
        for mnemonic, why in wrong.items():
            print(f"  DIFFERS {mnemonic}: {why}", flush=True)


def one(name: str, states: int, most: int) -> tuple[set[str], set[str], dict[str, str]]:
    """The mnemonics of an architecture that were compared, those refused alone, and what differs."""
    seen: set[str] = set()
    refused: set[str] = set()
    wrong: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for source in sorted((ROOT / "tests" / "programs").glob("*.c"))[:most]:
            for level in ("-O0", "-O2", "-Os"):
                output = Path(scratch) / f"{source.stem}{level}.o"
                words = (find().command[0], "cc", "-target", TARGETS[name], level, *_FLAGS, source, "-o", output)
                if subprocess.run(words, capture_output=True, check=False).returncode:
                    continue
                compare(output, states, seen, refused, wrong)
    return seen, refused - seen, wrong


def compare(path: Path, states: int, seen: set[str], refused: set[str], wrong: dict[str, str]) -> None:
    """The mnemonics of a file that were not compared before."""
    image = load(path, find())
    fresh = []
    for each, thumb in instructions_of(image, 1):
        mnemonic = family(image.architecture, each.mnemonic, is_thumb=thumb)
        if mnemonic not in seen:
            fresh.append((each, thumb))
    if not fresh:
        return
    opcodes = Opcodes(image, fresh)
    found = differences(opcodes, states)
    for number, (each, thumb) in enumerate(fresh):
        mnemonic = family(image.architecture, each.mnemonic, is_thumb=thumb)
        if number in opcodes.refused or (number not in found and not opcodes.compared.get(number)):
            refused.add(mnemonic)  # or in no state the emulator ran it
        else:
            seen.add(mnemonic)
        if number in found:
            wrong[mnemonic] = f"{each.text}: {found[number]}"[:200]


if __name__ == "__main__":
    main()
