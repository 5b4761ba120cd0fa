"""Objects as tests make them are those of the run: fields of one name in two classes, arrays that are copied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no javac")
RULES = """\
public class Rules {
    interface Rule { boolean holds(Object one); }
    static final class Same implements Rule {
        private final Object value;
        Same(Object value) { this.value = value; }
        public boolean holds(Object one) { return one == value; }
    }
    static final class Equal implements Rule {
        private final long kind;
        private final String name;
        private final Object value;
        Equal(long kind, String name, Object value) { this.kind = kind; this.name = name; this.value = value; }
        public boolean holds(Object one) { return kind > 3 && name != null && value != null && value.equals(one); }
    }
    static int both(Rule first, Rule second, Integer one) {
        if (first == null || second == null) return 0;
        return (first.holds(one) ? 1 : 2) + (second.holds(one) ? 10 : 20);
    }
}
"""
CHAINS = """\
public class Chains {
    interface Step { int run(int n); }
    static final class Add implements Step {
        public int run(int n) { return n + 1; }
    }
    static final class Chain implements Step {
        private final Step[] steps;
        Chain(Step[] steps) { this.steps = steps == null ? new Step[0] : steps.clone(); }
        public int run(int n) {
            for (Step each : steps) if (each != null) n = each.run(n);
            return n;
        }
    }
    static int through(Chain chain) {
        return chain == null ? -1 : chain.run(0) > 1 ? 7 : 8;
    }
}
"""


def explored(text: str, entry: str, folder: Path, **options: int) -> Result:
    """A campaign, whose suite is built and run."""
    source = folder / f"{entry.partition('.')[0]}.java"
    source.write_text(text)
    build = BuildOptions((source,), entry, **options)  # type: ignore[arg-type]
    result = campaign.run(build, SearchOptions(criterion="path", budget=60.0, shrink=False))
    deliver(result, folder / "out").checked()
    return result


def test_fields_of_one_name_in_two_classes_have_their_own_values(tmp_path: Path) -> None:
    result = explored(RULES, "Rules.both", tmp_path, max_length=2)
    assert {test.replayed for test in result.tests} == {"same"}, [test.replayed for test in result.tests]
    returned = {int.from_bytes((test.returned or b"")[:4], "little") for test in result.tests}
    assert returned == {0, 11, 12, 21, 22}
    suite = (tmp_path / "out" / "suite" / "Rules_bothTest.java").read_text()
    assert "new Rules.Equal(" in suite
    assert "new Rules.Same(" in suite


def test_an_array_is_filled_before_a_constructor_copies_it(tmp_path: Path) -> None:
    result = explored(CHAINS, "Chains.through", tmp_path, max_array=2, graph_depth=3)
    verdicts = {test.replayed.partition(":")[0] for test in result.tests}
    assert verdicts <= {"same", "not replayed"}, [test.replayed for test in result.tests]
    circles = [test.replayed for test in result.tests if test.replayed != "same"]
    assert all("would have to be there before it is made" in each for each in circles), circles
    assert 7 in {
        int.from_bytes((test.returned or b"")[:4], "little") for test in result.tests if test.replayed == "same"
    }
