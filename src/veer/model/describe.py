"""An input map in the words of C, for people: what the terminal, the store and the comments of a suite show.

p = &cell_1
cell_1 = {v = 3, next = &cell_1}
s = "a\\001"
buf = {1, 2, 0, 0}
cfg_1 = {name = "a", levels = {3, 1}, port = 80}
none = an array of 0 int
y = 0 (not read)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veer.model.arraywords import Part, folded
from veer.model.endpointers import as_made, counted
from veer.model.filesgiven import AskedFile, asked_files
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.literal import NAMELESS, image, object_leaves, scalar, string
from veer.model.program import Interrupt, Program
from veer.model.result import Test
from veer.model.sequence import CHOICES, Call, Callee
from veer.model.state import CHOICES as STATE_CHOICES
from veer.model.state import StateBefore, calls_before
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.values import replace
from veer.model.variadic import arguments, is_read, rest_list

_KEYWORDS = re.compile(r"\b(struct|union|enum|const|volatile|restrict|unsigned|signed)\b")
_TEXT_KINDS = ("char", "byte")
MAXIMUM_SHOWN = 40
LEAST_FOLDED = 4
"""So many zero bytes at the end of raw bytes are counted instead of shown."""
NOT_READ = " (not read)"
BEFORE = "before"
"""What the calls before the entry are shown as."""


def type_at(program: Program, identifier: int) -> Type | None:
    """The type of that id, None for raw bytes."""
    return program.types[identifier] if 0 <= identifier < len(program.types) else None


def object_names(program: Program, inputs: InputMap) -> dict[int, str]:
    """A readable name for each object: `cell_1` for a struct cell, `text_2` for characters."""
    return {item.number: f"{_stem(type_at(program, item.type))}_{item.number}" for item in inputs.objects}


def _stem(type_: Type | None) -> str:
    if type_ is None or type_.kind == TypeKind.OPAQUE:
        return "block"
    if type_.kind == TypeKind.CHAR or (type_.size == 1 and type_.kind in (TypeKind.SIGNED, TypeKind.UNSIGNED)):
        return "text" if type_.kind == TypeKind.CHAR else "bytes"
    words = re.findall(r"[A-Za-z_]\w*", _KEYWORDS.sub(" ", type_.name))
    return words[0] if words else type_.kind


def told(program: Program, test: Test) -> dict[str, str]:
    """A test's inputs as the language's renderer wrote them; in the words of C where it kept none (veer 0.1)."""
    return dict(test.shown) or describe(program, test.inputs)


def describe(program: Program, inputs: InputMap) -> dict[str, str]:
    """Name → value, roots first, then objects, in the order of their creation; long aggregates are shortened.

    What the run never looked at is marked: any other value would do as well.
    """
    names = object_names(program, inputs)
    shown: dict[str, str] = {}
    files = tuple(asked_files(program, inputs))
    known = {root.name for root in inputs.roots}
    asked = {each.question if each.question in known else each.content: each for each in files}
    parts = {name for each in files for name in (each.content, each.size)}
    behind = rest_list(program, inputs)
    for root in _of_their_sizes(program, inputs.roots):
        if root.name in asked:
            file = asked[root.name]
            shown[file.parameter or file.content] = _file(file, inputs)
        elif behind is not None and root.name == behind[0].name:
            shown[root.name] = _rest(program, inputs, names)
        elif root.name not in parts and not _is_made_by_the_harness(program, root):
            mark = NOT_READ if _is_unread(root.cells) and not _is_always_null(program, root) else ""
            shown[_root_label(root)] = (
                _end(program, root) or _whole(program, root.cells, root.size, root.type, 1, names) + mark
            )
    for item in inputs.objects:
        if behind is not None and item.number == behind[1]:
            continue
        mark = NOT_READ if item.count and _is_unread(item.cells) else ""
        shown[names[item.number]] = _object(program, item, names) + mark
    shown = _fold(shown, inputs, names)
    shown = shown if program.sequence is None else _with_calls(program, inputs, shown)
    shown = shown if program.state is None else _with_calls_before(program, program.state, inputs, shown)
    return shown if program.interrupt is None else _with_interrupts(program.interrupt, inputs, shown)


def _rest(program: Program, inputs: InputMap, names: dict[int, str]) -> str:
    """The arguments behind `...` that the run read."""
    shown = []
    for argument in arguments(program, inputs):
        value = argument.value or Scalar(0, 64, "signed")
        is_real = argument.is_real and isinstance(value, Scalar)
        shown.append(_cell(program, Cell(0, "", replace(value, kind="float") if is_real else value), None, names))
    return f"{{{', '.join(shown)}}}" if shown else f"{{}}{NOT_READ}"


def _end(program: Program, root: Root) -> str:
    """What leads into what another parameter of the entry leads to; "" for anything else."""
    type_, entry = type_at(program, root.type), program.function(program.entry)
    if type_ is None or type_.extent is not ExtentKind.END or entry is None or root.occurrence:
        return ""
    names = [each.name for each in entry.parameters]
    if root.name not in names:
        return ""
    number = str(int.from_bytes(image(root.cells, root.size), "little"))
    given = [number if name == root.name else name for name in names]
    return counted(entry.parameters, program.types, given)[names.index(root.name)]


def _of_their_sizes(program: Program, roots: Sequence[Root]) -> Iterator[Root]:
    """The roots, of a file as many bytes as it had in the run: how many that is, is an input of its own."""
    sizes = {root.name: int.from_bytes(image(root.cells, root.size), "little") for root in roots}
    held = {file.name: sizes[file.size_root] for file in program.files if file.size_root in sizes}
    for root in roots:
        size = min(root.size, held.get(root.name, root.size))
        yield replace(root, size=size, cells=tuple(cell for cell in root.cells if cell.offset < size))


def _file(file: AskedFile, inputs: InputMap) -> str:
    """What a file holds that the run asked for, or that it is not there; of a parameter, what is open."""
    if file.data is None:
        return "none" if file.parameter else "not there"
    if file.is_folder:
        return "there"
    is_unread = all(_is_unread(root.cells) for root in inputs.roots if root.name in (file.content, file.size))
    opened = "an open file of " if file.parameter else ""
    return opened + string(file.data) + (NOT_READ if is_unread else "")


def _with_calls(program: Program, inputs: InputMap, shown: dict[str, str]) -> dict[str, str]:
    """The calls of a sequence first, with their arguments in their places."""
    sequence, rest = program.sequence, dict(shown)
    texts: list[str] = []
    for call in inputs.calls if sequence is not None else ():
        callee = sequence.callees[call.callee] if sequence is not None else None
        function = program.function(callee.function) if callee is not None else None
        if sequence is None or callee is None or function is None:
            continue
        receivers = iter(call.receivers)
        arguments = []
        for place, (parameter, pool) in enumerate(zip(function.parameters, callee.receivers, strict=False)):
            if place == callee.delivers:
                arguments.append(f"&{sequence.pools[callee.makes].name}_{call.made}" if call.made else "&none")
                continue
            name = callee.argument(parameter.name)
            label = name if call.occurrence == 0 else f"{name}#{call.occurrence}"
            is_object = pool >= 0
            arguments.append(
                f"{sequence.pools[pool].name}_{next(receivers, 1)}" if is_object else rest.pop(label, program.null)
            )
        made = f"{sequence.pools[callee.makes].name}_{call.made} = " if _returns_one(callee, call) else ""
        roots = [(callee.argument(each.name), call.occurrence) for each in function.parameters]
        passed = counted(as_made(inputs, function.parameters, roots), program.types, arguments)
        texts.append(f"{made}{callee.function}({', '.join(passed)})")
    return {"calls": "; ".join(texts)} | {
        name: value for name, value in rest.items() if name.split("#")[0] not in CHOICES
    }


def _returns_one(callee: Callee, call: Call) -> bool:
    """Whether a call returned an object that others may work on."""
    return callee.makes >= 0 and callee.delivers < 0 and bool(call.made)


def _with_calls_before(program: Program, state: StateBefore, inputs: InputMap, shown: dict[str, str]) -> dict[str, str]:
    """The calls before the entry first, with their arguments in their places; their choices are no inputs."""
    rest = {name: value for name, value in shown.items() if name.split("#")[0] not in STATE_CHOICES}
    texts: list[str] = []
    for call in calls_before(state, inputs):
        function = program.function(call.function)
        roots = [call.root(each.name) for each in function.parameters] if function is not None else []
        labels = [name if occurrence == 0 else f"{name}#{occurrence}" for name, occurrence in roots]
        given = [rest.pop(label, program.null) for label in labels]
        parameters = as_made(inputs, function.parameters, roots) if function is not None else ()
        passed = counted(parameters, program.types, given)
        texts.append(f"{call.function}({', '.join(passed)})")
    return ({BEFORE: "; ".join(texts)} if texts else {}) | rest


def interrupted_at(interrupt: Interrupt, inputs: InputMap) -> tuple[int, ...]:
    """The volatile accesses before which the function was called, the first one is 1."""
    chosen = {root.occurrence: root.cells for root in inputs.roots if root.name == interrupt.root}
    values = {place: cells[0].value for place, cells in chosen.items() if cells}
    return tuple(place + 1 for place, value in sorted(values.items()) if isinstance(value, Scalar) and value.number)


def _with_interrupts(interrupt: Interrupt, inputs: InputMap, shown: dict[str, str]) -> dict[str, str]:
    """When the function was called, in the place of the choices."""
    rest = {name: value for name, value in shown.items() if name.split("#")[0] != interrupt.root}
    at = ", ".join(map(str, interrupted_at(interrupt, inputs)))
    return {**rest, f"{interrupt.function}()": f"before volatile access {at}"} if at else rest


def _is_made_by_the_harness(program: Program, root: Root) -> bool:
    """Whether this is argc or argv of an entry that is not called with inputs, whose texts are roots of their own; or
    says which argument behind `...` was read."""
    if is_read(root):
        return True
    entry = program.function(program.entry)
    if program.harness.passes_arguments or entry is None:
        return False
    return _is_unread(root.cells) and any(parameter.name == root.name for parameter in entry.parameters)


def _is_always_null(program: Program, root: Root) -> bool:
    """Whether there was nothing to decide: a pointer to a function."""
    type_ = type_at(program, root.type)
    return type_ is not None and type_.extent == ExtentKind.NULL


def _is_unread(cells: tuple[Cell, ...]) -> bool:
    """Whether the run looked at none of them."""
    values = [cell.value for cell in cells]
    return bool(values) and not any(v.used if isinstance(v, Scalar) else v.decided for v in values)


def _object(program: Program, item: MemoryObject, names: dict[int, str]) -> str:
    type_ = type_at(program, item.type)
    if item.count:
        return _whole(program, item.cells, item.size, item.type, item.count, names)
    return "a block of 0 bytes" if type_ is None or type_.kind == TypeKind.OPAQUE else f"an array of 0 {type_.name}"


def _root_label(root: Root) -> str:
    return root.name if root.occurrence == 0 else f"{root.name}#{root.occurrence}"


def _fold(shown: dict[str, str], inputs: InputMap, names: dict[int, str]) -> dict[str, str]:
    """Text, and nothing, that one pointer leads to is shown at that pointer: s = "abc", not s = &text_1."""
    uses = dict.fromkeys(names.values(), 0)
    for cell in _all_cells(inputs):
        if isinstance(cell.value, Pointer) and cell.value.target in names and cell.value.into is None:
            uses[names[cell.value.target]] += 1
    for name, count in uses.items():
        if count == 1 and shown.get(name, "").startswith(('"', "a block of 0", "an array of 0")):
            text = shown.pop(name)
            shown = {key: _replace_reference(value, name, text) for key, value in shown.items()}
    return shown


def _replace_reference(text: str, name: str, replacement: str) -> str:
    return re.sub(rf"&{re.escape(name)}\b", lambda _match: replacement, text)


def _all_cells(inputs: InputMap) -> list[Cell]:
    owners: list[Root | MemoryObject] = [*inputs.roots, *inputs.objects]
    return [cell for owner in owners for cell in owner.cells]


def _whole(
    program: Program, cells: tuple[Cell, ...], size: int, type_id: int, count: int, names: dict[int, str]
) -> str:
    type_ = type_at(program, type_id)
    if _is_text(cells, type_):
        data = image(cells, size)
        if type_ is not None and type_.kind == TypeKind.CHAR:
            return string(data.removesuffix(b"\0"))
        return _bytes(data)
    kinds = _leaf_types(program, type_, count, size)
    parts = [Part(_step(cell), cell, _cell(program, cell, kinds.get(cell.offset), names)) for cell in cells]
    if len(parts) == 1 and parts[0].path in ("", "[0]"):
        return parts[0].words
    shown = [f"{path.lstrip('.')} = {text}" if not _is_plain_index(path) else text for path, text in folded(parts)]
    if len(shown) > MAXIMUM_SHOWN:
        shown = [*shown[:MAXIMUM_SHOWN], f"... {len(shown) - MAXIMUM_SHOWN} more"]
    return "{" + ", ".join(shown) + "}"


def _bytes(data: bytes) -> str:
    """Raw bytes; zeros at the end are counted."""
    head = data.rstrip(b"\0")
    zeros = len(data) - len(head)
    if zeros < LEAST_FOLDED:
        return string(data)
    return f"{string(head)} and {zeros} bytes of 0" if head else f"{zeros} bytes of 0"


def _step(cell: Cell) -> str:
    """The access path within its owner; bytes that hold bit-fields are named by their offset."""
    return cell.path.replace(NAMELESS, f".byte_{cell.offset}")


def _is_plain_index(path: str) -> bool:
    return re.fullmatch(r"\[\d+\]", path) is not None


def _is_text(cells: tuple[Cell, ...], type_: Type | None) -> bool:
    """Whether this is a run of characters or raw bytes and not one number."""
    values = [cell.value for cell in cells]
    if type_ is not None and type_.kind in (TypeKind.STRUCT, TypeKind.UNION):
        return False
    if type_ is not None and type_.kind != TypeKind.CHAR and len(values) == 1:
        return False
    scalars = [value for value in values if isinstance(value, Scalar)]
    if len(scalars) != len(values) or any(v.width != 8 or v.kind not in _TEXT_KINDS for v in scalars):
        return False
    return len(values) > 1 or (type_ is None and len(values) == 0) or all(cell.path.startswith("[") for cell in cells)


def _leaf_types(program: Program, type_: Type | None, count: int, size: int) -> dict[int, Type]:
    if type_ is None:
        return {}
    return {leaf.offset: leaf.type for leaf in object_leaves(program.types, type_, min(count, 4096), size)}


def _cell(program: Program, cell: Cell, type_: Type | None, names: dict[int, str]) -> str:
    value = cell.value
    if isinstance(value, Pointer) and value.into is not None and type_ is not None and value.target is not None:
        number = value.into // max(program.types[type_.target].size, 1)
        return f"{type_.length} + {number}" if number else type_.length
    if isinstance(value, Pointer):
        return (
            value.function or program.null
            if value.target is None
            else f"&{names.get(value.target, f'object_{value.target}')}{value.part}"
        )
    return scalar(value, type_)
