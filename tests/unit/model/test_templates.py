"""Templates are compiled once: their code lies in the cache, and what is broken there is compiled anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from veer.model.templates import KIND, templates

TEXTS = {"greeting": "Hello {{ name }}!\n"}


def rendered(**values: str) -> str:
    return templates(TEXTS.__getitem__, autoescape=False).get_template("greeting").render(**values)


def kept(cache: Path) -> list[Path]:
    return [path for path in (cache / KIND).rglob("*") if path.is_file()]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VEER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_code_of_a_template_is_kept_and_used(cache: Path) -> None:
    assert rendered(name="you") == "Hello you!"
    (file,) = kept(cache)
    code = file.read_bytes()
    file.write_bytes(code.replace(b"Hello ", b"Howdy "))
    assert rendered(name="you") == "Howdy you!"


def test_another_text_or_another_way_to_read_it_is_another_template(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered(name="you")
    templates(TEXTS.__getitem__, autoescape=False, trim_blocks=True).get_template("greeting")
    assert len(kept(cache)) == 2
    monkeypatch.setitem(TEXTS, "greeting", "Bye {{ name }}.")
    assert rendered(name="you") == "Bye you."
    assert len(kept(cache)) == 3


@pytest.mark.parametrize("content", [b"", b"rubbish", b"j2" * 400])
def test_what_is_broken_is_compiled_anew(cache: Path, content: bytes) -> None:
    rendered(name="you")
    (file,) = kept(cache)
    file.write_bytes(content)
    assert rendered(name="you") == "Hello you!"


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(cache: Path) -> None:
    cache.write_text("a file is in its place")
    assert rendered(name="you") == "Hello you!"


def test_what_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        rendered()
