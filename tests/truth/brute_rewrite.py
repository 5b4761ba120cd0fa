"""Rewrites LLVM IR text so that a run logs its branch directions and checks its accesses: the brute force's own pass.

It knows nothing of veer's instrumenter, on purpose. Input is clang's -O0 text without debug information:

    br i1 %c, label %a, label %b        call void @bf_branch(i32 site, i32 zext(%c)) before it; the same for select
    switch i32 %v, ...                  call void @bf_switch(i32 site, i64 %v, i32 n, ptr cases)
    indirectbr ptr %v, [labels]         call void @bf_branch(i32 site, i32 number of the label)
    load, store, llvm.memcpy ...        call void @bf_access(ptr, i64 size, i32 is_store)
    alloca, globals                     wrapped in red zones, and made known as objects
    malloc, strlen, exit ...            calls go to the checked functions of brute/library.c

Functions and globals named bf_* are left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

REDIRECTED = (
    *("malloc", "calloc", "realloc", "free", "strlen", "strcmp", "strncmp", "strchr", "strcpy"),
    *("memcmp", "memchr", "memcpy", "memset", "exit", "abort"),
)
_REDIRECT = re.compile(r"@(" + "|".join(REDIRECTED) + r"|__assert_fail)\b(?=\()")
_GLOBAL = re.compile(r'^@([\w.$]+|"[^"]+") = (.*?)\b(global|constant) (.*)$')
_ORDERING = re.compile(r" (unordered|monotonic|acquire|release|seq_cst)$")
_TRAP = re.compile(r"@llvm\.ubsantrap\(i8 (\d+)\)")
_ZONE = "[64 x i8]"
_SAVE_AREA, _OVERFLOW_AREA = 176, 128
DECLARATIONS = """
declare void @bf_branch(i32, i32)
declare void @bf_switch(i32, i64, i32, ptr)
declare void @bf_access(ptr, i64, i32)
declare void @bf_step()
declare void @bf_undefined(i32)
declare void @bf_enter(i32)
declare void @bf_leave()
declare void @bf_local(ptr, i64)
declare void @bf_argument(ptr, i64)
declare ptr @bf_alloca(i64, i64)
declare void @bf_global(ptr, i64, i32)
"""


def split_type(text: str) -> tuple[str, str]:
    """The type at the head of the text, and what follows it."""
    text = text.lstrip()
    depth = 0
    for index, letter in enumerate(text):
        if letter in "{[<(":
            depth += 1
        elif letter in "}])>":
            depth -= 1
        if depth == 0 and (letter in "}])>" or index + 1 == len(text) or text[index + 1] in " ,"):
            return text[: index + 1], text[index + 1 :].lstrip()
    raise ValueError(f"no type in {text!r}")


def operands(text: str) -> list[str]:
    """The text split at the commas that no bracket encloses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "{[<(") - (letter in "}])>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def size_of(kind: str) -> str:
    """A constant expression for the bytes that a value of the type takes in memory."""
    if match := re.fullmatch(r"i(\d+)", kind):
        return str((int(match[1]) + 7) // 8)
    return f"ptrtoint (ptr getelementptr ({kind}, ptr null, i32 1) to i64)"


@dataclass
class Rewriter:
    """State of one module's rewriting."""

    out: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    registered: list[str] = field(default_factory=list)
    site: int = 0
    fresh: int = 0
    functions: int = 0
    allocas: dict[str, str] = field(default_factory=dict)

    def name(self) -> str:
        """A fresh local name."""
        self.fresh += 1
        return f"%bf.{self.fresh}"

    def global_line(self, line: str) -> None:
        """A global: wrapped in red zones and registered."""
        match = _GLOBAL.match(line)
        if not match or match[1].startswith(("bf_", "llvm.")):
            self.out.append(line)
            return
        name, prefix, keyword, rest = match.groups()
        rest = re.sub(r", align \d+$", "", rest)
        writable = int(keyword == "global")
        kind, initial = split_type(rest)
        if "external" in prefix.split():
            self.out.append(line)
        else:
            linkage = "internal " if {"private", "internal"} & set(prefix.split()) else ""
            wrapped = f"{{ {_ZONE}, {kind}, {_ZONE} }}"
            zero = f"{_ZONE} zeroinitializer"
            inner = f'@"bf.{name[1:]}' if name.startswith('"') else f"@bf.{name}"
            self.out.append(f"{inner} = internal {keyword} {wrapped} {{ {zero}, {kind} {initial}, {zero} }}, align 64")
            self.tail.append(
                f"@{name} = {linkage}alias {kind}, ptr getelementptr inbounds ({wrapped}, ptr {inner}, i32 0, i32 1)"
            )
        self.registered.append(f"  call void @bf_global(ptr @{name}, i64 {size_of(kind)}, i32 {writable})")

    def decision(self, condition: str) -> None:
        """Logs a condition's direction before the line that uses it."""
        if condition in ("true", "false"):
            return
        wide = self.name()
        self.out.append(f"  {wide} = zext i1 {condition} to i32")
        self.out.append(f"  call void @bf_branch(i32 {self.site}, i32 {wide})")
        self.site += 1

    def switch(self, lines: list[str]) -> None:
        """Logs which case a switch takes."""
        match = re.match(r"\s*switch (i\d+) (\S+), label", lines[0])
        assert match, lines[0]
        kind, value = match.groups()
        bits = int(kind[1:])
        cases = [int(found[1]) for line in lines[1:] if (found := re.match(rf"\s*{kind} (-?\d+), label", line))]
        table = ", ".join(f"i64 {case & (1 << bits) - 1}" for case in cases)
        self.tail.append(f"@bf_cases_{self.site} = internal constant [{len(cases)} x i64] [{table}]")
        wide = value
        if bits < 64:
            wide = self.name()
            self.out.append(f"  {wide} = zext {kind} {value} to i64")
        self.out.append(
            f"  call void @bf_switch(i32 {self.site}, i64 {wide}, i32 {len(cases)}, ptr @bf_cases_{self.site})"
        )
        self.site += 1
        self.out.extend(lines)

    def computed_goto(self, name: str, line: str) -> None:
        """Logs which label of function `name` a computed goto takes."""
        match = re.match(r"\s*indirectbr ptr (\S+), \[(.*)\]", line)
        assert match, line
        labels = list(dict.fromkeys(re.findall(r"label (%\S+?)(?:,|$)", match[2])))
        taken = "0"
        for number, label in enumerate(labels):
            is_it, found = self.name(), self.name()
            self.out.append(f"  {is_it} = icmp eq ptr {match[1]}, blockaddress(@{name}, {label})")
            self.out.append(f"  {found} = select i1 {is_it}, i32 {number}, i32 {taken}")
            taken = found
        self.out.append(f"  call void @bf_branch(i32 {self.site}, i32 {taken})")
        self.site += 1
        self.out.append(line)

    def access(self, pointer: str, size: str, is_store: int) -> None:
        """Checks an access before it happens."""
        self.out.append(f"  call void @bf_access(ptr {pointer}, i64 {size}, i32 {is_store})")

    def alloca(self, line: str, result: str, rest: str) -> None:
        """A local: wrapped in red zones; a local of variable size: made by the brute force."""
        kind, more = split_type(rest)
        if count := re.match(r", i64 (%\S+)", more):
            self.out.append(f"  {result} = call ptr @bf_alloca(i64 {count[1].rstrip(',')}, i64 {size_of(kind)})")
            return
        wrapped = f"{{ {_ZONE}, {kind}, {_ZONE} }}"
        raw = self.name()
        self.out.append(f"  {raw} = alloca {wrapped}, align 64")
        self.out.append(f"  {result} = getelementptr {wrapped}, ptr {raw}, i32 0, i32 1")
        self.out.append(f"  call void @bf_local(ptr {result}, i64 {size_of(kind)})")
        self.allocas[result] = kind

    def instruction(self, line: str) -> None:
        """One instruction of a rewritten function (not a switch)."""
        text = line.strip()
        line = _REDIRECT.sub(lambda m: "@bf_" + m[1].replace("__assert_fail", "assert_fail"), line)
        if match := _TRAP.search(text):
            self.out.append(f"  call void @bf_undefined(i32 {match[1]})")
        if match := re.match(r"br i1 (\S+), ", text):
            if "!nosanitize" not in text:  # a branch of the source, not of the compiler's checks
                self.decision(match[1])
        elif text.startswith("br label"):
            self.out.append("  call void @bf_step()")
        elif match := re.match(r"\S+ = select i1 ([^,]+), ", text):
            if "!nosanitize" not in text:
                self.decision(match[1])
        elif match := re.match(r"(\S+) = alloca (.*)", text):
            return self.alloca(line, match[1], match[2])
        elif match := re.match(r"(?:\S+ = load|(store)) (?:atomic )?(?:volatile )?(.*)", text):
            kind, _ = split_type(match[2])
            pointer = next(part for part in operands(match[2])[1:] if part.startswith("ptr ")).removeprefix("ptr ")
            pointer = _ORDERING.sub("", pointer)
            if self.allocas.get(pointer) != kind:
                self.access(pointer, size_of(kind), int(bool(match[1])))
        elif match := re.match(
            r"\S+ = (?:atomicrmw (?:volatile )?\w+|cmpxchg (?:weak )?(?:volatile )?) ?ptr (\S+), (.*)", text
        ):
            self.access(match[1], size_of(split_type(match[2])[0]), 1)
        elif match := re.match(r"(\S+ =) .*call .*@llvm\.threadlocal\.address\S*\(ptr (?:align \d+ )?(\S+)\)", text):
            line = f"  {match[1]} getelementptr i8, ptr {match[2]}, i64 0"  # one thread: a global like any other
        elif match := re.search(r"@llvm\.mem(cpy|move|set)\S*\((.*)\)", text):
            self.transfer(match[1], match[2])
        elif text.startswith("ret"):
            self.out.append("  call void @bf_leave()")
        self.out.append(line)
        if match := re.match(r"call void @llvm\.va_start\S*\(ptr (\S+)\)", text):
            self.started_list(match[1])

    def started_list(self, pointer: str) -> None:
        """The areas that a va_list points to are objects of the function; the second one is as long as in any call."""
        for offset, size in ((16, _SAVE_AREA), (8, _OVERFLOW_AREA)):
            place, area = self.name(), self.name()
            self.out.append(f"  {place} = getelementptr i8, ptr {pointer}, i64 {offset}")
            self.out.append(f"  {area} = load ptr, ptr {place}")
            self.out.append(f"  call void @bf_argument(ptr {area}, i64 {size})")

    def transfer(self, kind: str, arguments: str) -> None:
        """llvm.memcpy, memmove, memset: the source is read, the destination written."""
        pointers = re.findall(r"ptr (?:align \d+ )?((?:%|@)[\w.$]+|getelementptr \w* ?\(.*?\))", arguments)
        size = re.findall(r"i64 ([^,]+)", arguments)[-1]
        if kind != "set":
            self.access(pointers[1], size, 0)
        self.access(pointers[0], size, 1)

    def function(self, lines: list[str]) -> None:
        """A defined function, from `define` to `}`."""
        name = re.search(r"@([\w.$]+)\(", lines[0])
        if name and name[1].startswith("bf_"):
            self.out.extend(lines)
            return
        self.allocas = {}
        self.out.append(lines[0])
        entered = False
        index = 1
        while index < len(lines):
            line = lines[index]
            is_label = bool(re.match(r"[\w.$]+:", line))
            if not entered and line.strip() and not is_label:
                self.out.append(f"  call void @bf_enter(i32 {self.functions})")
                self.functions += 1
                entered = True
                for kind, argument in re.findall(r"byval\(([^()]*)\)[^%]*(%[\w.]+)", lines[0]):
                    self.out.append(f"  call void @bf_argument(ptr {argument}, i64 {size_of(kind)})")
            if line.startswith("  switch "):
                end = next(k for k in range(index, len(lines)) if lines[k].strip().startswith("]"))
                self.switch(lines[index : end + 1])
                index = end
            elif line.startswith("  indirectbr ") and name:
                self.computed_goto(name[1], line)
            elif line.startswith("  ") and not is_label:
                self.instruction(line)
            else:
                self.out.append(line)
            index += 1


def rewrite(text: str) -> str:
    """The rewritten module text, with a function bf_globals that makes its globals known."""
    rewriter = Rewriter()
    lines = text.splitlines()
    index = 0
    while index < len(lines):
        line = lines[index]
        if line.startswith("define "):
            end = lines.index("}", index)
            rewriter.function(lines[index : end + 1])
            index = end
        elif line.startswith("@"):
            rewriter.global_line(line)
        elif line.startswith("declare "):
            redirected = _REDIRECT.sub(lambda m: "@bf_" + m[1].replace("__assert_fail", "assert_fail"), line)
            if not re.search(r"@bf_(make|result|local|make_named)\(", redirected) or "bf_local" not in redirected:
                rewriter.out.append(redirected)
        else:
            rewriter.out.append(line)
        index += 1
    body = "\n".join(rewriter.out)
    declarations = "\n".join(line for line in DECLARATIONS.splitlines() if not line or not _is_declared(body, line))
    registering = "\n".join(["define void @bf_globals() {", *rewriter.registered, "  ret void", "}"])
    return "\n".join([body, *rewriter.tail, declarations, registering, ""])


def _is_declared(body: str, declaration: str) -> bool:
    name = re.search(r"@(\w+)\(", declaration)
    assert name
    return bool(re.search(rf"^declare .*@{name[1]}\(", body, re.MULTILINE))
