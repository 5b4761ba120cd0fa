"""Where files of a suite stand within a project: so that they name the project's files wherever it is moved to."""

from __future__ import annotations

import os
import re
from pathlib import Path

from msgspec import Struct

_PATH = re.compile(r"(?P<option>-[A-Za-z-]+=?)?(?P<path>/.*)")


class SuiteFolder(Struct, frozen=True):
    """A folder, and the root of the project, both absolute. A folder outside of the project has absolute paths."""

    folder: Path
    root: Path

    def path(self, file: Path) -> str:
        """The file as it is named in the folder: relative where both are of the project, else absolute.

        Symbolic links below the root are kept: what a source includes is looked for beside the link.
        """
        root, folder = self.root.resolve(), self.folder.resolve()
        absolute = Path(os.path.abspath(file))  # noqa: PTH100 - Path.resolve follows links
        if not folder.is_relative_to(root) or not absolute.is_relative_to(self.root):
            return str(absolute)
        return os.path.normpath(os.path.join(os.path.relpath(root, folder), absolute.relative_to(self.root)))  # noqa: PTH118

    def word(self, word: str, folder: str = "") -> str:
        """A word of a command, whose path is named as `path` says: `-I/home/me/project/include` → `-I../include`.

        `folder` stands before what is relative, for commands that run elsewhere.
        """
        found = _PATH.fullmatch(word)
        if found is None:
            return word
        path = self.path(Path(found["path"]))
        return f"{found['option'] or ''}{path if path.startswith('/') else folder + path}"
