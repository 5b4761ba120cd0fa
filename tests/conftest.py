"""For all tests: less garbage collection, zig's libraries made once for all of veer's caches, a third of the cases."""

import gc
import os

import pytest
from sampling import IS_LONG, part, turn

from veer.toolchain.compiler import find, zig_cache

gc.set_threshold(50_000, 20, 50)  # a worker holds some hundred thousand objects to its end: 3 % of all time went there
os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(zig_cache(find())))


def pytest_configure(config: pytest.Config) -> None:
    """Settles what is run of many cases before there are workers: they inherit it."""
    is_named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS or config.option.keyword
    os.environ.setdefault("VEER_PART", "all" if IS_LONG or is_named else turn())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the other parts out, unless the check is a long one or tests are named by a path or by -k."""
    if turn() == "all":
        return
    slow = {each.nodeid for each in items if each.get_closest_marker("slow")}
    kept = part([each.nodeid for each in items], int(turn()), slow)
    config.hook.pytest_deselected(items=[each for each in items if each.nodeid not in kept])
    items[:] = [each for each in items if each.nodeid in kept]
