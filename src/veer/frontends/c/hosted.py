"""Sources in words of another compiler, as files that the host's compiler reads (dialects/translation.py)."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, field

from veer.frontends.c.dialects.translation import Translator, folders_of
from veer.frontends.c.dialects.words import words_of
from veer.frontends.c.flags import user_flags
from veer.model.buildoptions import BuildOptions
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain


class Hosted(Struct, frozen=True):
    """What is read in a source's place: None, where it is C.

    `files`: the same for it and each of its headers that is not; `notes`: what was left out.
    """

    file: Path | None = None
    files: dict[Path, Path] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def hosted(options: BuildOptions, toolchain: Toolchain, source: Path) -> Hosted:
    """The source as C, in the cache. Raises UsageError for what has no meaning here, with its file and line."""
    words = words_of(options.preludes)
    if words.is_empty:
        return Hosted()

    def written(text: str, suffix: str) -> Path:
        return toolchain.cache.write(text.encode(), "harness", digest(text), suffix)

    translator = Translator(words, folders_of(user_flags(options, source)), written)
    file = translator.translated(source)
    return Hosted(file, translator.files, tuple(dict.fromkeys(translator.notes))) if file is not None else Hosted()
