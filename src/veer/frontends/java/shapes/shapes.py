"""Types → shapes: which classes an input may be of, and how tests make such objects.

Objects of the user's classes are made of their fields where a test can give each of them its value by constructors,
setters and assignments, so that each object is one that programs can make. Else a constructor makes them, or a static
method of their class. Where none fits, or a precondition says which objects are in order, they are made of their
fields, in tests by reflection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from veer.frontends.java.classfile.descriptors import dotted, full_words, method_types, type_of
from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.lowering.cuts import is_lowered
from veer.frontends.java.shapes.askedabout import asked_about
from veer.frontends.java.shapes.defaults import takes_defaults
from veer.frontends.java.shapes.factories import factories, plainness
from veer.frontends.java.shapes.generics import (
    OBJECT,
    Generic,
    environment,
    environments,
    of_signature,
    parameter_types,
    taken_for,
)
from veer.frontends.java.shapes.naming import as_made, own_name, parameter_names, words_of
from veer.frontends.java.shapes.plain import (
    INIT,
    FieldKey,
    PlainConstructor,
    only_kept,
    plain_constructors,
    plain_setter,
)
from veer.frontends.java.shapes.runtimeclasses import (
    ANYTHING,
    BOXES,
    COLLECTIONS,
    ENUM,
    INTEGER,
    LISTS,
    MADE_BY_CONSTRUCTORS,
    MADE_BY_FACTORIES,
    MAPS,
    REFUSE_ZEROS,
    STAND_FOR,
    STRING,
    TEXTS,
    box,
)
from veer.frontends.java.shapes.shape import Candidate, Kind, Shape, Shared, Slot
from veer.frontends.java.shapes.statics import sees_statics
from veer.frontends.java.shapes.stubs import stub
from veer.frontends.java.shapes.userclasses import UserClasses
from veer.model.errors import UnsupportedInputError
from veer.model.types import Recipe
from veer.model.values import replace

_MOST_CANDIDATES = 8
_LONGEST_CHAIN = 60
"""Types that lead to each other. What lies behind them is null."""


class Shapes(Struct):
    """The shapes of a unit's inputs. `ordered`: classes whose objects a precondition looks at."""

    classes: UserClasses
    ordered: frozenset[str] = frozenset()
    shared: Shared = field(default_factory=Shared)
    _known: dict[str, Shape] = field(default_factory=dict)
    _refused: dict[str, str] = field(default_factory=dict)
    _receivers: dict[str, Shape | str] = field(default_factory=dict)
    _asked: dict[str, int] = field(default_factory=dict)  # types that are being looked at: how deep
    _lowest: int = _LONGEST_CHAIN  # of those that were taken to be made

    def is_made(self, type_: Generic) -> bool:
        """Whether inputs of a type are made; one that is asked about already is."""
        if type_.is_primitive:
            return True
        if type_.key in self._asked:
            self._lowest = min(self._lowest, self._asked[type_.key])
            return True
        try:
            self.of(type_)
        except UnsupportedInputError:
            return False
        return True

    def of(self, type_: Generic) -> Shape:
        """The shape of a reference type. Raises UnsupportedInputError."""
        found = self._known.get(type_.key) or self.shared.shapes.get(type_.key)
        if found is not None:
            return found
        depth, before = len(self._asked), self._lowest
        if depth >= _LONGEST_CHAIN:
            self._lowest = -1
            raise UnsupportedInputError(f"too many types lead to {full_words(type_.descriptor)}")
        if type_.key in self._refused:
            raise UnsupportedInputError(self._refused[type_.key])
        self._asked[type_.key] = depth
        self._lowest = _LONGEST_CHAIN
        try:
            found = self._shape(type_)
        except UnsupportedInputError as error:
            self._refused[type_.key] = str(error)
            raise
        finally:
            self._asked.pop(type_.key, None)
            is_whole = self._lowest >= depth
            self._lowest = before if is_whole else min(before, self._lowest)
        (self.shared.shapes if is_whole and type_.name not in ANYTHING else self._known)[type_.key] = found
        return found

    def receiver(self, type_: Generic, method: Method) -> Shape:
        """The object that a method is called on: of the class itself; of an abstract one, of those below that do not
        override the method. Raises UnsupportedInputError."""
        owner = self._class(type_.name)
        if owner is not None and owner.above == ENUM:
            return self.of(type_)
        if owner is None or Access.ABSTRACT not in owner.access:
            return self._receiver(type_, [type_.name])
        below = [
            each for each in self.classes.below(type_.name) if not self.classes.overrides(each, type_.name, method)
        ]
        return self._receiver(type_, below)

    def _receiver(self, type_: Generic, names: list[str]) -> Shape:
        """The same for all methods that are called on objects of these classes. Raises UnsupportedInputError."""
        key = " ".join((type_.key, *names))
        if key not in self._receivers:
            try:
                made = self._objects(type_, names)
                is_forced = any(each.recipe.binary for each in made.candidates)
                self._receivers[key] = (self._kept(type_) if is_forced else None) or made
            except UnsupportedInputError as error:
                self._receivers[key] = self._kept(type_) or str(error)
        found = self._receivers[key]
        if isinstance(found, str):
            raise UnsupportedInputError(found)
        return found

    def _kept(self, type_: Generic) -> Shape | None:
        """The one object that a class keeps and gives to all: enough to call methods on."""
        owner = self._class(type_.name)
        if owner is None or not self.classes.is_concrete(owner) or owner.name in self.ordered:
            return None
        made = self._of_factory(owner, environment(owner.signature, type_.given), may_keep=True)
        return Shape(Kind.OBJECT, type_, candidates=(made,), bounds=tuple(self._left_out(made))) if made else None

    # -- what there is ------------------------------------------------------------------------------------------------

    def _shape(self, type_: Generic) -> Shape:
        name, given = type_.name, type_.given
        if name == "[":
            if not self.is_made(given[0]):
                self.of(given[0])
            return Shape(Kind.ARRAY, type_, given[0])
        if name in TEXTS:
            more = () if name == STRING else (f"{words_of(name)} as String",)
            return Shape(Kind.TEXT, type_, bounds=more)
        if name in BOXES:
            return Shape(Kind.BOX, type_, owner=name, candidates=(box(name),))
        if name in LISTS:
            return self._list(type_, LISTS[name])
        if name in COLLECTIONS or name in MAPS:
            return self._collection(type_)
        if name in ANYTHING:
            return self._anything(type_)
        owner = self._class(name)
        if owner is not None and owner.above == ENUM:
            return self._constants(type_, owner)
        if STAND_FOR.get(name, name) in (*MADE_BY_CONSTRUCTORS, *MADE_BY_FACTORIES):
            return self._of_the_runtime(type_)
        below = self.classes.below(name) if self.classes.path.is_own(name) else []
        if not below and (made := stub(self.classes.path, type_, self.classes.is_named)) is not None:
            return Shape(Kind.OBJECT, type_, candidates=(made[0],), bounds=made[1])
        if owner is None:
            raise UnsupportedInputError(f"the class {dotted(name)} is not on the class path (--classpath)")
        if not self.classes.path.is_own(name):
            raise UnsupportedInputError(f"veer makes no values of the type {full_words(type_.descriptor)} yet")
        return self._objects(type_, below)

    def _list(self, type_: Generic, owner: str) -> Shape:
        element = self._element(type_, 0)
        more = () if owner == type_.name else (f"{words_of(type_.name)} as {words_of(owner)}",)
        name = full_words(type_of(owner))
        return Shape(Kind.LIST, type_, element, owner=owner, bounds=more, recipe=Recipe(name, f"new {name}"))

    def _collection(self, type_: Generic) -> Shape:
        is_map = type_.name in MAPS
        owner = (MAPS if is_map else COLLECTIONS)[type_.name]
        element, second = self._element(type_, 0), self._element(type_, 1) if is_map else None
        more = () if owner == type_.name else (f"{words_of(type_.name)} as {words_of(owner)}",)
        recipe = Recipe(full_words(type_of(owner)), f"new {full_words(type_of(owner))}")
        return Shape(Kind.COLLECTION, type_, element, second, owner, bounds=more, recipe=recipe)

    def _element(self, type_: Generic, place: int) -> Generic:
        """What a collection holds: objects, where nobody says of which class."""
        found = type_.given[place] if place < len(type_.given) else Generic(OBJECT)
        self.of(found)
        return found

    def _anything(self, type_: Generic) -> Shape:
        """Of Object and its kin: the entry's own class and those that its code asks about and callers can name, where
        they fit; Integer. A class with type variables, as a map, holds objects of its own only where it asks about
        them. Of a String that is asked about, a copy: `new String("a")`."""
        owner = self._class(self.classes.owner)
        asked = [each for each in (asked_about(owner) if owner is not None else ()) if self.classes.is_named(each)]
        is_generic = owner is not None and owner.signature.startswith("<")
        names = (*(() if is_generic else (self.classes.owner,)), *asked)
        fitting = [each for each in dict.fromkeys(names) if self.classes.fits(each, type_.name)]
        own = [
            made for each in fitting if self.classes.path.is_own(each) for made in self._objects_or_none(Generic(each))
        ]
        boxes = [box(each) for each in fitting if each in BOXES and each != INTEGER]
        others = [
            made
            for each in fitting
            if each in MADE_BY_CONSTRUCTORS
            for made in self._of_the_runtime(Generic(each)).candidates
        ]
        classes = [*[*own, *boxes, *others][: _MOST_CANDIDATES - 1], box(INTEGER)]
        listed = " or ".join(words_of(each.name) for each in classes)
        bounds = [f"{words_of(type_.name)} as {listed}"]
        bounds += [words for each in classes if each in own for words in self._left_out(each)]
        return Shape(Kind.OBJECT, type_, candidates=tuple(classes), bounds=tuple(dict.fromkeys(bounds)))

    def _objects_or_none(self, type_: Generic) -> tuple[Candidate, ...]:
        owner = self._class(type_.name)
        if owner is None or type_.key in self._asked or not self.classes.is_concrete(owner) or owner.above == ENUM:
            return ()
        try:
            return self._objects(type_, [type_.name]).candidates
        except UnsupportedInputError:
            return ()

    def _constants(self, type_: Generic, owner: ClassFile) -> Shape:
        names = tuple(each.name for each in owner.fields if Access.ENUM in each.access)
        hidden = [each for each in owner.fields if not each.is_static and Access.FINAL not in each.access]
        shown = f"the enum {full_words(type_.descriptor)}"
        if hidden:
            raise UnsupportedInputError(f"veer makes no values of {shown}: its field {hidden[0].name} may change")
        if not names or not (self.classes.path.is_own(owner.name) or is_lowered(self.classes.path, owner.name)):
            raise UnsupportedInputError(f"veer makes no values of {shown} yet")
        if not self.classes.is_named(owner.name):
            raise UnsupportedInputError(f"no test can name {shown}")
        return Shape(Kind.CONSTANT, type_, owner=owner.name, constants=names)

    def _of_the_runtime(self, type_: Generic) -> Shape:
        made_as = STAND_FOR.get(type_.name, type_.name)
        owner = self.classes.path.find(made_as)
        key = MADE_BY_FACTORIES.get(made_as) or (INIT, MADE_BY_CONSTRUCTORS.get(made_as, ""))
        constructor = owner.method(*key) if owner is not None else None
        if owner is None or constructor is None:
            raise UnsupportedInputError(f"veer makes no values of the type {full_words(type_.descriptor)} yet")
        taken = self.arguments(constructor, environment(owner.signature, type_.given))
        slots = tuple(replace(each, name=f"a{place}") for place, each in enumerate(taken))
        name = full_words(type_of(made_as))
        call = f"{name}.{constructor.name}" if constructor.is_static else f"new {name}"
        given, refuses = tuple(each.name for each in slots), made_as in REFUSE_ZEROS
        recipe = Recipe(name, call, given=given, throws_at_null=True, reads=True, refuses=refuses)
        made = Candidate(made_as, slots, recipe, constructor)
        more = () if made_as == type_.name else (f"{words_of(type_.name)} as {words_of(made_as)}",)
        return Shape(Kind.OBJECT, type_, candidates=(made,), bounds=(*more, as_made(made_as, constructor)))

    # -- the user's own classes ---------------------------------------------------------------------------------------

    def _objects(self, type_: Generic, names: Iterable[str]) -> Shape:
        found, bounds, why = list[Candidate](), list[str](), ""
        fitting = list(names)
        for name in fitting[:_MOST_CANDIDATES]:
            owner = self._class(name)
            if owner is None:
                continue
            try:
                made = self._candidate(owner, self._below_type(type_, owner))
            except UnsupportedInputError as error:
                why = why or str(error)
                continue
            found.append(made)
            bounds += self._left_out(made)
        if not found:
            shown = full_words(type_.descriptor)
            raise UnsupportedInputError(why or f"veer makes no values of the type {shown}: it knows no class that fits")
        if self.classes.is_open(type_.name):
            bounds.append(f"{words_of(type_.name)} as {' or '.join(words_of(each.name) for each in found)}")
        if left := len(fitting) - len(found):
            bounds.append(f"{left} of {len(fitting)} classes that are a {words_of(type_.name)} are left out")
        return Shape(Kind.OBJECT, type_, candidates=tuple(found), bounds=tuple(dict.fromkeys(bounds)))

    def _candidate(self, owner: ClassFile, known: dict[str, Generic]) -> Candidate:
        key = (owner.name, *(each.key for each in known.values()))
        if key in self.shared.candidates:
            return self.shared.candidates[key]
        before, self._lowest = self._lowest, _LONGEST_CHAIN
        try:
            found = self._new_candidate(owner, known)
            is_whole = self._lowest == _LONGEST_CHAIN
        finally:
            self._lowest = min(before, self._lowest)
        return self.shared.candidates.setdefault(key, found) if is_whole else found

    def _new_candidate(self, owner: ClassFile, known: dict[str, Generic]) -> Candidate:
        fields = tuple(self._fields(owner, known))
        plain = self._of_fields(owner, fields)
        if plain is not None and not self.classes.is_inner(owner):
            return plain
        if owner.name not in self.ordered:
            made = self._of_constructor(owner, known) or self._of_factory(owner, known)
            if made is not None:
                return made
        if (
            any(not self.classes.path.is_own(each.name) for each in self.classes.chain(owner))
            or owner.record is not None
        ):
            raise UnsupportedInputError(f"{words_of(owner.name)} has no constructor that veer can call")
        recipe = Recipe(
            full_words(type_of(owner.name)) if self.classes.is_named(owner.name) else "Object",
            binary=dotted(owner.name),
            sets=tuple((each.name, f"{dotted(each.owner)}#{own_name(each)}") for each in fields),
        )
        return Candidate(owner.name, fields, recipe)

    def _of_fields(self, owner: ClassFile, fields: tuple[Slot, ...]) -> Candidate | None:
        """An object of any values of its fields, where a test can make it without reflection."""
        if not self.classes.is_named(owner.name) or not all(
            each.is_made and self._is_written(each.type) for each in fields
        ):
            return None
        for made in sorted(self._plain(owner), key=lambda each: -len(each.given)):
            by_key = {(each.owner, own_name(each)): each.name for each in fields}
            if not set(made.given) <= by_key.keys():
                continue
            sets = [(name, self._set(owner, key)) for key, name in by_key.items() if key not in made.given]
            if all(how for _, how in sets):
                name = full_words(type_of(owner.name))
                given = tuple(by_key[key] for key in made.given)
                again = ((by_key[key], self._set(owner, key)) for key in made.given)
                later = tuple((member, how) for member, how in again if how)
                recipe = Recipe(name, f"new {name}", given=given, sets=tuple(sets), later=later)
                return Candidate(owner.name, fields, recipe)
        return None

    def _is_written(self, type_: Generic) -> bool:
        """Whether a test can name the type."""
        while type_.name == "[":
            type_ = type_.given[0]
        return type_.is_primitive or self.classes.is_named(type_.name)

    def _plain(self, owner: ClassFile) -> Iterator[PlainConstructor]:
        return (
            each
            for each in plain_constructors(owner, self.classes.path.find)
            if self.classes.may_call(owner, each.method.access)
        )

    def _set(self, owner: ClassFile, key: FieldKey) -> str:
        """How a test sets a field of an object of a class: an assignment, or a setter; empty where it cannot."""
        chain_ = self.classes.chain(owner)
        declared = next(each for each in chain_ if each.name == key[0])
        found = next(each for each in declared.fields if each.name == key[1] and not each.is_static)
        above_ = chain_[: chain_.index(declared)]
        is_hidden = any(each.name == key[1] for below in above_ for each in below.fields)
        if Access.FINAL in found.access:
            return ""
        if self.classes.may_call(declared, found.access) and not is_hidden:
            return key[1]
        seen: set[tuple[str, str]] = set()
        for each in chain_:
            for method in each.methods:
                if method.key in seen:
                    continue
                seen.add(method.key)
                if plain_setter(each, method) == key and self.classes.may_call(each, method.access):
                    return f"{method.name}()"
        return ""

    def _of_constructor(self, owner: ClassFile, known: dict[str, Generic]) -> Candidate | None:
        """An object as the constructor makes it that takes most: of those of which veer makes all that they take, else
        of those that only keep the rest, which is null."""
        found: list[tuple[Method, tuple[Slot, ...]]] = []
        if not self.classes.is_named(owner.name) or self.classes.is_inner(owner):
            return None
        for each in owner.methods:
            if each.name != INIT or not self.classes.may_call(owner, each.access) or Access.SYNTHETIC in each.access:
                continue
            slots = self.arguments(each, known)
            rest = {place for place, slot in enumerate(slots) if not slot.is_made}
            if (
                each.code is not None
                and rest <= only_kept(owner, each)
                and all(self._is_written(slot.type) for slot in slots)
            ):
                found.append((each, slots))
        if not found:
            return None
        return self._made(owner, *max(found, key=lambda each: (all(slot.is_made for slot in each[1]), len(each[1]))))

    def _of_factory(self, owner: ClassFile, known: dict[str, Generic], *, may_keep: bool = False) -> Candidate | None:
        """An object as a static method of its class makes it. `may_keep`: or has it already."""
        if not self.classes.is_named(owner.name):
            return None
        found = list[tuple[Method, tuple[Slot, ...]]]()
        for each in factories(self.classes.path, owner, may_keep=may_keep):
            if self.classes.may_call(owner, each.access):
                slots = self.arguments(each, known)
                if all(slot.is_made and self._is_written(slot.type) for slot in slots):
                    found.append((each, slots))
        return self._made(owner, *max(found, key=lambda each: plainness(owner, each[0]))) if found else None

    def _made(self, owner: ClassFile, constructor: Method, slots: tuple[Slot, ...]) -> Candidate:
        name = full_words(type_of(owner.name))
        call = f"{name}.{constructor.name}" if constructor.is_static else f"new {name}"
        refuses = not takes_defaults(self.classes.path, owner, constructor)
        recipe = Recipe(name, call, given=tuple(each.name for each in slots), reads=True, refuses=refuses)
        is_seen = sees_statics(self.classes.path, owner, constructor)
        return Candidate(owner.name, slots, recipe, constructor, sees_statics=is_seen)

    def arguments(self, method: Method, known: dict[str, Generic]) -> tuple[Slot, ...]:
        """What a constructor takes, or a static method that makes an object."""
        descriptors = method_types(method.descriptor)[0]
        if method.is_static:
            types = taken_for(method.signature, descriptors, tuple(known.values()))
        else:
            types = parameter_types(method.signature, descriptors, known)
        names = parameter_names(method)
        return tuple(Slot(name, each, "", self.is_made(each)) for name, each in zip(names, types, strict=True))

    def _fields(self, owner: ClassFile, known: dict[str, Generic]) -> Iterator[Slot]:
        """The fields of an object, those of superclasses first. Two of one name are told apart by their class."""
        chain_ = self.classes.chain(owner)
        known_of = environments(chain_, known)
        names = [each.name for one in chain_ for each in one.fields if not each.is_static]
        for one in reversed(chain_):
            for each in one.fields:
                if each.is_static:
                    continue
                type_ = of_signature(each.signature, each.descriptor, known_of[one.name])
                name = each.name if names.count(each.name) == 1 else f"{words_of(one.name)}.{each.name}"
                yield Slot(name, type_, one.name, self.is_made(type_))

    def _below_type(self, type_: Generic, owner: ClassFile) -> dict[str, Generic]:
        """What the type variables of a class are when it stands for a type above it: told where they have as many."""
        wanted = self._class(type_.name)
        own = environment(owner.signature, ())
        if owner.name == type_.name:
            return environment(owner.signature, type_.given)
        is_alike = wanted is not None and len(own) == len(type_.given)
        return environment(owner.signature, type_.given) if is_alike else own

    def _left_out(self, made: Candidate) -> Iterator[str]:
        if made.constructor is not None:
            yield as_made(made.name, made.constructor)
        for each in made.slots:
            if not each.is_made:
                yield f"{words_of(made.name)}.{each.name} is null"

    def is_named(self, name: str) -> bool:
        """Whether tests of the entry's package can name a class."""
        return self.classes.is_named(name)

    def _class(self, name: str) -> ClassFile | None:
        return self.classes.path.find(name) if name != "[" else None
