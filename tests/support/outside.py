"""Another package, installed for one test: a module, and the entry point that offers something of it."""

from __future__ import annotations

from pathlib import Path

import pytest


def install(
    folder: Path, monkeypatch: pytest.MonkeyPatch, module: str, text: str, *, group: str, name: str, object: str
) -> None:
    """Makes `name` of the entry points `group` be `object` of the module `module`, whose text this is."""
    (folder / f"{module}.py").write_text(text)
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}:{object}\n")
    monkeypatch.syspath_prepend(str(folder))
