"""The IR of Zig's compiler as the instrumenter takes it: panics become traps, names those of the source.

    call fastcc void @veer.panic.integerOverflow()      call void @llvm.ubsantrap(i8 5)
    define internal fastcc i8 @list.sum(ptr %0, ...)    define internal fastcc i8 @sum(ptr %0, ...)
    @veer_call_unit = alias void (ptr), ptr @root...    the function itself has that name

A block that does nothing but trap makes the branch before it a check, which is none of the source's branches.
"""

from __future__ import annotations

import re

from veer.frontends.llvm.harness import TARGET
from veer.frontends.zig.traps import NUMBERS

ADAPTER = "veer_call_unit"
"""The function through which the harness calls the entry; its name says that it is veer's own."""
COMPUTED = "a panic whose message is computed"
_COLD = re.compile(r'^ *(?:tail )?call void @llvm\.assume\(i1 true\) \[ "cold"\(\) \].*\n', re.MULTILINE)
_PANIC = re.compile(
    r"(?:notail |tail )?call fastcc void @veer\.panic\.(\w+)\((.*)\)(?: #\d+)?(, !dbg !\d+)$", re.MULTILINE
)
_PANIC_BODY = re.compile(r"^define internal fastcc void @veer\.panic\.(?:.*\n)*?\}\n", re.MULTILINE)
_ALIAS = re.compile(r"^@(\S+) = alias .*, ptr @(\S+)\n", re.MULTILINE)
_TARGET = re.compile(r"^target (?:datalayout|triple) = .*\n", re.MULTILINE)
_MESSAGE = re.compile(r"^ptr (?:[\w()]+ |align \d+ )*(@\S+|@\"[^\"]*\"), i64 \d+")


def prepared(ir: str, module: str) -> str:
    """The module's text, where functions of the Zig module `module` have their names without it."""
    text = _COLD.sub("", _TARGET.sub("", ir))
    text = _PANIC.sub(_trap, _PANIC_BODY.sub("", text))
    text = _short_names(_without_aliases(text), module)
    declared = ["declare void @llvm.ubsantrap(i8 immarg)", "declare void @veer_error(ptr)"]
    if COMPUTED_TEXT in text:
        declared.append(f'{COMPUTED_TEXT} = private constant [{len(COMPUTED) + 1} x i8] c"{COMPUTED}\\00"')
    return "\n".join([TARGET.rstrip(), text.rstrip(), *declared]) + "\n"


COMPUTED_TEXT = "@veer.computed"


def _trap(matched: re.Match[str]) -> str:
    symbol, arguments, location = matched.groups()
    name = symbol.partition("__")[0]  # generic ones are numbered: inactiveUnionField__func_4
    if name != "call":
        return f"call void @llvm.ubsantrap(i8 {NUMBERS[name]}){location}"
    # A constant's text ends with a NUL: it is a literal of the source.
    message = _MESSAGE.match(arguments)
    return f"call void @veer_error(ptr {message[1] if message else COMPUTED_TEXT}){location}"


def _without_aliases(text: str) -> str:
    """What is exported under another name gets that name: a function of one module, with one address."""
    exported = {target: name for name, target in _ALIAS.findall(text)}
    text = _ALIAS.sub("", text)
    for target, name in exported.items():
        escaped = re.escape(target)
        text = re.sub(rf"^(define )internal (.*@{escaped}\()", r"\1\2", text, flags=re.MULTILINE)
        text = re.sub(rf"@{escaped}(?![\w.$-])", f"@{name}", text)
        text = text.replace(f'linkageName: "{target}"', f'linkageName: "{name}"')
    return text


def _short_names(text: str, module: str) -> str:
    """Functions of the unit by their names within it, but where something else has that name."""
    own = re.compile(rf"@{re.escape(module)}\.([A-Za-z_][\w.]*)")
    taken = set(re.findall(r"^(?:declare|define) [^@\n]*@([\w.$-]+)\(", text, re.MULTILINE))
    names = {name for name in taken if name.startswith(f"{module}.")}
    short = {name.removeprefix(f"{module}.") for name in names} - taken

    def renamed(matched: re.Match[str]) -> str:
        return f"@{matched[1]}" if matched[1] in short else matched[0]

    text = own.sub(renamed, text)
    return re.sub(
        rf'linkageName: "{re.escape(module)}\.([\w.]+)"',
        lambda matched: f'linkageName: "{matched[1]}"' if matched[1] in short else matched[0],
        text,
    )
