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
LONGEST_MESSAGE = 160
"""Bytes of a panic's message that are kept, with a NUL behind them."""
_COLD = re.compile(r'^ *(?:tail )?call void @llvm\.assume\(i1 true\) \[ "cold"\(\) \].*\n', re.MULTILINE)
_PANIC = re.compile(
    r"(?:notail |tail )?call fastcc void @veer\.panic\.(\w+)\((.*)\)(?: #\d+)?(, !dbg !\d+)$", re.MULTILINE
)
_PANIC_BODY = re.compile(r"^define internal fastcc void @veer\.panic\.(?:.*\n)*?\}\n", re.MULTILINE)
_ALIAS = re.compile(r"^@(\S+) = alias .*, ptr @(\S+)\n", re.MULTILINE)
_TARGET = re.compile(r"^target (?:datalayout|triple) = .*\n", re.MULTILINE)
_MESSAGE = re.compile(r"^ptr (?:[\w()]+ |align \d+ )*([%@]\S+|@\"[^\"]*\"), i64 (\S+?)(?:,|$)")
_TEXT = "@veer.message"
_DECLARED = (
    "declare void @llvm.ubsantrap(i8 immarg)",
    "declare void @veer_error(ptr)",
    f"{_TEXT} = internal global [{LONGEST_MESSAGE} x i8] zeroinitializer",
)
_INTRINSICS = {
    "llvm.umin.i64": "declare i64 @llvm.umin.i64(i64, i64)",
    "llvm.memset.p0.i64": "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)",
    "llvm.memcpy.p0.p0.i64": "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)",
}


def prepared(ir: str, module: str) -> str:
    """The module's text, where functions of the Zig module `module` have their names without it."""
    text = _COLD.sub("", _TARGET.sub("", ir))
    text = _PANIC.sub(_trap, _PANIC_BODY.sub("", text))
    text = _short_names(_without_aliases(text), module)
    known = set(re.findall(r"^declare [^@\n]*@([\w.]+)\(", text, re.MULTILINE))
    declared = [*_DECLARED, *(line for name, line in _INTRINSICS.items() if name not in known)]
    return "\n".join([TARGET.rstrip(), text.rstrip(), *declared]) + "\n"


def variables_of(text: str, module: str) -> list[str]:
    """The variables of the Zig module that instructions name, sorted."""
    own = re.escape(module)
    defined = set(re.findall(rf"^@({own}\.[\w.]+) = [^\n]*?\bglobal ", text, re.MULTILINE))
    named = {
        name for line in re.findall(r"^ .*", text, re.MULTILINE) for name in re.findall(rf"@({own}\.[\w.]+)", line)
    }
    return sorted(defined & named)


def _trap(matched: re.Match[str]) -> str:
    symbol, arguments, location = matched.groups()
    name = symbol.partition("__")[0]  # generic ones are numbered: inactiveUnionField__func_4
    if name != "call":
        return f"call void @llvm.ubsantrap(i8 {NUMBERS[name]}){location}"
    message = _MESSAGE.match(arguments)
    text, length = message.groups() if message else (_TEXT, "0")
    size = f"%veer.size.{matched.start()}"
    # The message, which is a slice, with a NUL behind it: straight code, for a branch would be the user's.
    return "\n  ".join(
        (
            f"{size} = call i64 @llvm.umin.i64(i64 {length}, i64 {LONGEST_MESSAGE - 1}){location}",
            f"call void @llvm.memset.p0.i64(ptr {_TEXT}, i8 0, i64 {LONGEST_MESSAGE}, i1 false){location}",
            f"call void @llvm.memcpy.p0.p0.i64(ptr {_TEXT}, ptr {text}, i64 {size}, i1 false){location}",
            f"call void @veer_error(ptr {_TEXT}){location}",
        )
    )


def _without_aliases(text: str) -> str:
    """What is exported under another name gets that name: a function of one module, with one address."""
    exported = {target: name for name, target in _ALIAS.findall(text)}
    text = _ALIAS.sub("", text)
    for target, name in exported.items():
        escaped = re.escape(target)
        text = re.sub(rf"^(define )internal (.*@{escaped}\()", r"\1\2", text, flags=re.MULTILINE)
        text = re.sub(rf"^(@{escaped} = )internal ", r"\1", text, flags=re.MULTILINE)
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
