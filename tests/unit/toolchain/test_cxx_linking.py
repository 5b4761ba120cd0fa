"""Programs in C++ are linked without libc++ where they need nothing of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from veer.toolchain import cxx
from veer.toolchain.compiler import Compiled, as_cxx, find
from veer.toolchain.compiling import compile_object
from veer.toolchain.linking import link

SHAPES = """
struct shape { virtual ~shape() {} virtual int area() const = 0; };
struct square : shape { int side; square(int s) : side(s) {} int area() const override { return side * side; } };
struct strip : virtual shape { int length; strip(int l) : length(l) {} int area() const override { return length; } };
template <typename T> static T sum(const shape &one, const shape &other) { return T(one.area()) + T(other.area()); }
static int ended;
struct ends { ~ends() { ended++; } };
int main(int count, char **) {
    shape *all[] = {new square(4), new strip(3)};
    int *numbers = new int[count + 1]();
    long total = 0;
    { ends here; total = sum<long>(*all[0], *all[1]) + numbers[count] + count; }
    delete all[0];
    delete all[1];
    delete[] numbers;
    return total == 20 && ended == 1 ? 0 : 1;
}
"""
OWN_NEW = """
#include <stdlib.h>
#include <new>
static int calls;
void *operator new(size_t size) { calls++; return malloc(size); }
int main() {
    int *one = new int(3), *other = new (std::nothrow) int(4);
    return calls == 1 && *one + *other == 7 ? 0 : 1;
}
"""
OF_LIBRARY = {
    "thrown": "int f(int n) { if (n > 3) throw n; return 1; }\nint main(int n, char **) { return f(n); }",
    "caught": "int f(int);\nint main(int n, char **) { try { return f(n); } catch (...) { return 1; } }",
    "cast": "struct a { virtual int f(); };\nstruct b : a {};\nint main() { return !dynamic_cast<b *>((a *)0); }",
    "container": "#include <vector>\nint main(int n, char **) { std::vector<int> v(n); v.at(n - 1) = 0; return v[0]; }",
    "text": "#include <string>\nint main(int n, char **) { std::string s(n, 'a'); return s.size() != (unsigned)n; }",
    "static": "int f();\nint main() { static int once = f(); return once; }",
}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each link whether libc++ would be linked; such links are not made."""
    made: list[bool] = []

    def noted(toolchain, objects, output, flags=(), **more):  # type: ignore[no-untyped-def]
        made.append(toolchain.is_cxx)
        return Compiled(0, "", ()) if toolchain.is_cxx else link(toolchain, objects, output, flags, **more)

    monkeypatch.setattr(cxx, "link", noted)
    return made


def linked(text: str, folder: Path) -> Compiled:
    toolchain, source, made = as_cxx(find(None)), folder / "program.cpp", folder / "program.o"
    source.write_text(text)
    said = compile_object(toolchain, source, made, ("-std=c++17",))
    assert said.code == 0, said.messages
    return cxx.link_cxx(toolchain, [made], folder / "program")


@pytest.mark.parametrize("text", [SHAPES, OWN_NEW], ids=["classes", "own new"])
def test_classes_and_memory_need_no_library(text: str, tmp_path: Path, calls: list[bool]) -> None:
    assert linked(text, tmp_path).code == 0
    assert calls == [False]
    assert subprocess.run([tmp_path / "program"], timeout=10).returncode == 0


def test_what_is_defined_nowhere_is_told_without_the_library(tmp_path: Path, calls: list[bool]) -> None:
    said = linked('extern "C" int asks(int); int main(int n, char **) { return asks(*new int(n)); }', tmp_path)
    assert said.code and "undefined symbol: asks" in said.messages
    assert calls == [False]


@pytest.mark.parametrize("name", OF_LIBRARY)
def test_the_rest_is_linked_with_the_library(name: str, tmp_path: Path, calls: list[bool]) -> None:
    assert linked(OF_LIBRARY[name], tmp_path).code == 0
    assert calls == [False, True]
