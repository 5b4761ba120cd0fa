"""What shells complete, asked of the shells themselves; the manual page, read by man."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from veer.cli.app import main
from veer.cli.commands import COMMANDS
from veer.cli.completion import SHELLS


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def shell(name: str, script: str) -> str:
    if shutil.which(name) is None:
        pytest.skip(f"no {name} here")
    done = subprocess.run([name, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def completed_by_bash(words: list[str], script: str) -> set[str]:
    given = " ".join(f"'{word}'" for word in words)
    line = f"COMP_WORDS=({given}); COMP_CWORD={len(words) - 1}; _veer; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return set(shell("bash", f"{script}\n{line}").split())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["veer", "comp"], {"compare", "completion"}),
        (["veer", "test", "--strat"], {"--strategy"}),
        (["veer", "test", "--criterion", "m"], {"mcdc"}),
        (["veer", "report", "--format", "s"], {"sarif"}),
        (["veer", "list", "--js"], {"--json"}),
    ],
)
def test_bash_completes(words: list[str], expected: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert completed_by_bash(words, said(["completion", "bash"], capsys)) == expected


def test_bash_completes_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "unit.c").touch()
    script = f"cd '{tmp_path}'\n{said(['completion', 'bash'], capsys)}"
    assert completed_by_bash(["veer", "test", "un"], script) == {"unit.c"}


def test_fish_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "veer.fish"
    file.write_text(said(["completion", "fish"], capsys))
    found = shell("fish", f"source '{file}'; complete -C 'veer test --criterion m'; complete -C 'veer test --strat'")
    assert [line.split("\t")[0] for line in found.splitlines()] == ["mcdc", "--strategy"]


def test_zsh_takes_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = said(["completion", "zsh"], capsys)
    (tmp_path / "_veer").write_text(script)
    shell("zsh", f"zsh -n '{tmp_path}/_veer'")
    loaded = f"autoload -Uz compinit; compinit -u -d '{tmp_path}/dump'; source '{tmp_path}/_veer'; print $_comps[veer]"
    assert shell("zsh", loaded).strip() == "_veer"


@pytest.mark.parametrize("name", SHELLS)
def test_every_command_is_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = said(["completion", name], capsys)
    assert all(command.name in script for command in COMMANDS)


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "give bash, zsh, fish" in capsys.readouterr().err


def test_the_manual_page_has_every_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(["man"], capsys)
    shown = [option for each in COMMANDS for option in each.options if not option.hidden]
    assert text.startswith(".TH VEER 1")
    assert all("veer " + each.name.replace("-", "\\-") in text for each in COMMANDS)
    assert all("\\-\\-" + option.flag[2:].replace("-", "\\-") in text for option in shown if not option.flags)
    if shutil.which("man") is None:
        pytest.skip("no man here")
    file = tmp_path / "veer.1"
    file.write_text(text)
    done = subprocess.run(["man", "--warnings", "-l", str(file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr and "--criterion branch|mcdc|path" in done.stdout
