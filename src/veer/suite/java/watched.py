"""The monitors of specifications in a suite in Java: nested classes, and what lets the unit's classes call them.

Each test has a class loader of its own; it weaves the watched classes as it loads them (weaver.java).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from veer.model.program import Program

_WEAVER = Path(__file__).with_name("weaver.java")
_LOADER = """ {{
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {{
                try (java.io.InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {{
                    if (in == null) return super.findClass(name);
                    byte[] data = VeerWeaver.woven(name, in.readAllBytes());
                    return defineClass(name, data, 0, data.length);
                }} catch (java.io.IOException error) {{
                    throw new ClassNotFoundException(name, error);
                }}
            }}
        }}"""


def with_loader(helpers: str, program: Program) -> str:
    """The helpers of a framework, whose loaders weave where something is watched."""
    if not _is_any(program):
        return helpers
    loaded = helpers.replace("new java.net.URL[0]), above))", f"new java.net.URL[0]), above){_LOADER})")
    return loaded.replace("= in.readAllBytes();", "= VeerWeaver.woven(name, in.readAllBytes());")


def monitors(program: Program, suite: str) -> Iterator[str]:
    """The nested classes; none where nothing is watched. `suite`: the test class with its package."""
    watching = program.watching
    if watching is None or not _is_any(program):
        return
    rows = [line.split("\t") for line in watching.in_suite.events.splitlines()]
    yield ""
    yield "    /** Class, method, types, and its handlers. */"
    yield "    private static final String[][] WATCHED = {"
    yield from (f"        {{{', '.join(map(json.dumps, row))}}}," for row in rows)
    yield "    };"
    monitors_class = suite.replace(".", "/") + "$VeerMonitors"
    yield f"    private static final String MONITORS = {json.dumps(monitors_class)};"
    names = ", ".join(json.dumps(each.words) for each in watching.events)
    yield f"    private static final String[] NAMES = {{{names}}};"
    yield ""
    yield "    /** At each event they ask what must hold of it. */"
    yield from (f"    {line}".rstrip() for line in watching.in_suite.monitor.splitlines())
    yield ""
    yield from _WEAVER.read_text(encoding="utf-8").splitlines()


def _is_any(program: Program) -> bool:
    return program.watching is not None and program.watching.in_suite.is_any
