"""The user's classes as tests see them: which there are below a type, which classes and members tests can name."""

from __future__ import annotations

from itertools import takewhile

from msgspec import Struct, field

from veer.frontends.java.classfile.descriptors import dotted
from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.shapes.generics import OBJECT
from veer.model.errors import UnsupportedInputError, UsageError

_MOST_SCANNED = 4000
"""Of larger class paths only the packages of the asked class are looked through for subclasses."""


class UserClasses(Struct):
    """The classes on a class path. `package`: the entry's, which tests lie in; `owner`: its class; `index`: what lies
    directly below each class, filled when it is first asked."""

    path: ClassPath
    package: str
    owner: str
    index: dict[str, list[str]] = field(default_factory=dict)

    def chain(self, owner: ClassFile) -> list[ClassFile]:
        """The class and those above it, without Object and Record."""
        found = [owner]
        while found[-1].above not in ("", OBJECT, "java/lang/Record"):
            above_ = self.path.find(found[-1].above)
            if above_ is None:
                raise UnsupportedInputError(f"the class {dotted(found[-1].above)} is not on the class path")
            found.append(above_)
        return found

    def below(self, name: str) -> list[str]:
        """The user's classes that are subtypes and of which there may be objects, itself first."""
        if not self.index:
            self._scan(name)
        found, waiting = list[str](), [name]
        while waiting:
            one = waiting.pop(0)
            if one in found:
                continue
            found.append(one)
            waiting += self.index.get(one, [])
        classes = [self.path.find(each) for each in found]
        return [each.name for each in classes if each is not None and self.is_concrete(each)]

    def _scan(self, name: str) -> None:
        names = self.path.names()
        if len(names) > _MOST_SCANNED:
            packages = {each.rpartition("/")[0] for each in (name, self.owner)}
            names = tuple(each for each in names if each.rpartition("/")[0] in packages)
        self.index[""] = []
        for each in names:
            found = self._readable(each)
            if found is not None:
                for above_ in (found.above, *found.interfaces):
                    self.index.setdefault(above_, []).append(each)

    def _readable(self, name: str) -> ClassFile | None:
        """A class; None for one that is no class file."""
        try:
            return self.path.find(name)
        except UsageError:
            return None

    def is_concrete(self, owner: ClassFile) -> bool:
        """Whether it has objects, and is none that the compiler made or a method declares."""
        if owner.access & (Access.ABSTRACT | Access.INTERFACE | Access.SYNTHETIC):
            return False
        own = owner.inner.get(owner.name)
        return own is None or own.is_member

    def is_open(self, name: str) -> bool:
        """Whether callers may have classes of their own for an interface or an abstract class: it is not sealed."""
        owner = self.path.find(name)
        return owner is not None and Access.ABSTRACT in owner.access and not owner.permitted

    def fits(self, name: str, wanted: str) -> bool:
        waiting, seen = [name], set[str]()
        while waiting:
            one = waiting.pop()
            if one == wanted:
                return True
            found = self.path.find(one) if one and one not in seen else None
            seen.add(one)
            if found is not None:
                waiting += [found.above, *found.interfaces]
        return False

    def overrides(self, name: str, above_: str, method: Method) -> bool:
        chain_ = self.chain(self.path.find(name))  # type: ignore[arg-type]
        below = takewhile(lambda each: each.name != above_, chain_)  # all of it where the method is an interface's
        return any(each.method(*method.key) is not None for each in below)

    def is_named(self, name: str) -> bool:
        """Whether tests of the entry's package can name a class."""
        owner = self.path.find(name)
        if owner is None:
            return False
        around = [each for each in owner.inner if each == name or name.startswith(f"{each}$")]
        if any(Access.PRIVATE in owner.inner[each].access or not owner.inner[each].is_member for each in around):
            return False
        is_same = name.rpartition("/")[0] == self.package
        outer = self.path.find(name.partition("$")[0]) if around else owner
        classes = [owner.inner[each].access for each in around] + ([outer.access] if outer is not None else [])
        return is_same or all(Access.PUBLIC in each for each in classes)

    def is_inner(self, owner: ClassFile) -> bool:
        """Whether its objects belong to one of the class around it."""
        own = owner.inner.get(owner.name)
        return own is not None and Access.STATIC not in own.access

    def may_call(self, owner: ClassFile, access: Access) -> bool:
        """Whether tests may name a member of a class."""
        if Access.PRIVATE in access:
            return False
        return Access.PUBLIC in access or owner.name.rpartition("/")[0] == self.package
