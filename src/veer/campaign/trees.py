"""The versions that `veer compare` is given: files, folders, git revisions.

    old.c                     a file                     HEAD~1          all of a commit, unpacked into the cache
    before/                   a folder                   HEAD~1:src/f.c  a file of a commit

In a folder or a commit the sources are those that are named behind the two versions, as paths within it, else the one
that defines the entry.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from veer.campaign.languages import language_of, languages
from veer.campaign.sources import Flags, source_files
from veer.frontends.protocol import BecomesC
from veer.model.cachedir import cache_root
from veer.model.errors import ToolchainError, UsageError
from veer.model.values import replace

_MOST_SHOWN = 5
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_HIDDEN = (".git", "veer-out")


class Tree(Struct, frozen=True):
    """A version: what people call it, its sources; `root`: of the folder or commit, None for files; `of`: the working
    folder that it is a state of, with the flags and headers of whose files it is built."""

    name: str
    sources: tuple[Path, ...]
    root: Path | None = None
    of: Path | None = None

    def moved(self, path: str) -> str:
        """A path of the working folder as it is in this version, where that has it."""
        if self.root is None or self.of is None:
            return path
        try:
            within = self.root / Path(path).absolute().relative_to(self.of)
        except ValueError:
            return path
        return str(within) if within.exists() else path


def trees(old: str, new: str, named: Sequence[str], entry: str) -> tuple[Tree, Tree]:
    """Both versions. Raises UsageError for what is none, and where it is not clear which sources are meant."""
    return _tree(old, named, entry), _tree(new, named, entry)


def in_one_language(old: Tree, new: Tree) -> tuple[Tree, Tree, tuple[str, ...]]:
    """Both versions in C where they are in different languages and one becomes C; and folders of headers for that.

    Raises UsageError, ToolchainError.
    """
    of = [language_of(each.sources) for each in (old, new)]
    if of[0].name == of[1].name:
        return old, new, ()
    trees, folders = [], []
    for tree, language in zip((old, new), of, strict=True):
        if isinstance(language, BecomesC):
            made = [language.as_c(each) for each in tree.sources]
            folders += [str(folder) for _, folder in made]
            tree = replace(tree, sources=tuple(file for file, _ in made), root=None, of=None)
        trees.append(tree)
    return trees[0], trees[1], tuple(dict.fromkeys(folders))


def flags_of(tree: Tree, include: Sequence[str], known: Flags) -> Flags:
    """The flags of each source of a version: those that the project's database knows of the file in the working folder,
    and the folders of its own headers."""
    of_files = dict(known)
    found = []
    for source in tree.sources:
        mine = source
        if tree.root is not None and tree.of is not None:
            mine = tree.of / source.relative_to(tree.root)
        flags = [_moved_flag(tree, flag) for flag in of_files.get(str(mine), of_files.get(str(source), ()))]
        found.append((str(source), (*flags, *(part for path in include for part in ("-I", _include(tree, path))))))
    return tuple(found)


def _moved_flag(tree: Tree, flag: str) -> str:
    """A flag with the path that it ends with as it is in this version."""
    at = flag.find(f"{tree.of}/") if tree.of is not None else -1
    return flag[:at] + tree.moved(flag[at:]) if at >= 0 else flag


def _include(tree: Tree, path: str) -> str:
    if tree.root is not None and not os.path.isabs(path) and (tree.root / path).is_dir():  # noqa: PTH117
        return str(tree.root / path)
    return tree.moved(path)


def _tree(word: str, named: Sequence[str], entry: str) -> Tree:
    path = Path(word)
    if path.is_file():
        return Tree(word, source_files([path]))
    if path.is_dir():
        root = path.absolute()
        return Tree(word, _sources(root, word, named, entry, Path()), root)
    revision, _, inside = word.partition(":")
    top = _git("rev-parse", "--show-toplevel")
    commit = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}") if top and revision else ""
    if not commit:
        where = "" if top else "; the working directory is in no git repository"
        raise UsageError(f"{word}: there is no such file, folder or git revision{where}")
    root, of = _unpacked(commit, Path(top)), Path(top)
    within = Path(_git("rev-parse", "--show-prefix"))
    if inside:
        found = next((root / each for each in (Path(inside), within / inside) if (root / each).is_file()), None)
        if found is None:
            raise UsageError(f"{word}: the commit has no file {inside}")
        return Tree(word, source_files([found]), root, of)
    return Tree(word, _sources(root, word, named, entry, within), root, of)


def _sources(root: Path, word: str, named: Sequence[str], entry: str, within: Path) -> tuple[Path, ...]:
    """The named files of a folder, else the one that defines the entry."""
    if named:
        found = []
        for name in named:
            places = [root / within / name, root / name]
            place = next((each for each in places if each.is_file()), None)
            if place is None:
                raise UsageError(f"{word} has no file {name}: name sources as paths within it")
            found.append(place)
        return source_files(found)
    found = [file for file in _files(root) if _defines(file.read_text(errors="replace"), entry)]
    if len(found) == 1:
        return source_files(found)
    shown = ", ".join(str(file.relative_to(root)) for file in found[:_MOST_SHOWN])
    why = f"several files define {entry} ({shown})" if found else f"no source defines {entry}"
    raise UsageError(f"{word}: {why}; name the sources behind the two versions")


def _defines(text: str, entry: str) -> bool:
    """Whether a source defines a function, as far as its text shows: `char *f(char *s) {`, and no call of it.

    Ahead of the name stand words and stars; parentheses only as those of an attribute or a macro.
    """
    ahead = r"(?:[^\n#;{}()=,\"']|\(\(?\w[\w ,]*\)\)?(?=\s*[\w*]))*"
    defining = re.compile(rf"^{ahead}\b{re.escape(entry)}\s*\([^;{{}}]*\)[^;{{}}]*\{{", re.MULTILINE)
    return defining.search(_COMMENT.sub(" ", text)) is not None


def _files(root: Path) -> list[Path]:
    """The sources in a folder, of the languages of which versions can be compared."""
    suffixes = {one.suffixes[0] for one in languages() if "against" in one.takes}
    return sorted(
        file
        for suffix in suffixes
        for file in root.rglob(f"*{suffix}")
        if file.is_file() and not {*_HIDDEN} & {*file.relative_to(root).parts[:-1]}
    )


def _unpacked(commit: str, top: Path) -> Path:
    """The files of a commit, in the cache: their paths are the same each time, so that builds are found again."""
    place = cache_root() / "revision" / commit[:2] / commit
    if place.is_dir():
        return place
    packed = subprocess.run(
        ["git", "-C", str(top), "archive", "--format=tar", commit], capture_output=True, check=False
    )
    if packed.returncode:
        raise UsageError(f"git cannot unpack {commit[:12]}: {packed.stderr.decode(errors='replace').strip()}")
    place.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix="unpacking-", dir=place.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(scratch, filter="data")
        scratch.rename(place)
    except (OSError, tarfile.TarError) as error:
        if not place.is_dir():  # else another veer was faster
            raise ToolchainError(f"the files of {commit[:12]} cannot be unpacked to {place}: {error}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return place


def _git(*words: str) -> str:
    """What git prints, or nothing where it fails or is not there."""
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
