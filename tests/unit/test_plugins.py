"""Plug-ins by entry point: veer's own, those of other packages, clashes, packages that break, an old installation."""

import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from veer import plugins
from veer.model.errors import UsageError
from veer.plugins import StaleInstallationError

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
OWN = {group: points for group, points in PROJECT["entry-points"].items() if group.startswith("veer.")}
GROUP = "veer.solvers"


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """Installs a package that offers plug-ins of GROUP: a module with this text, and "name = object" lines."""

    def install(package: str, text: str, *points: str) -> None:
        folder = tmp_path / package
        metadata = folder / f"{package}-1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text("\n".join((f"[{GROUP}]", *points)))
        (folder / f"{package}.py").write_text(text)
        monkeypatch.syspath_prepend(folder)

    return install


@pytest.mark.parametrize(("group", "name"), [(group, name) for group, points in OWN.items() for name in points])
def test_what_pyproject_registers_is_found(group, name):
    module, _, attribute = OWN[group][name].partition(":")
    assert plugins.find(group, name) is getattr(import_module(module), attribute)


@pytest.mark.parametrize("group", OWN)
def test_the_names_of_a_group(group):
    assert set(plugins.names(group)) == set(OWN[group])


def test_a_plugin_of_another_package(offer):
    offer("theirs", "class Made:\n    value = 42\n", "answer = theirs:Made.value")
    assert plugins.find(GROUP, "answer") == 42
    assert list(plugins.names(GROUP)) == [*OWN[GROUP], "answer"]


def test_veers_own_names_are_veers(offer):
    offer("theirs", "make = None\n", "bitwuzla = theirs:make")
    assert plugins.find(GROUP, "bitwuzla") is not None
    assert list(plugins.names(GROUP)) == list(OWN[GROUP])


def test_a_name_that_there_is_not(offer):
    offer("theirs", "", "answer = theirs:make")
    with pytest.raises(UsageError, match=r"^there is no solver `yices`; known are bitwuzla, cvc5, z3, answer$"):
        plugins.find(GROUP, "yices")


def test_two_packages_with_one_name(offer):
    offer("theirs", "make = 1\n", "answer = theirs:make")
    offer("others", "make = 2\n", "answer = others:make")
    with pytest.raises(UsageError, match=r"`answer` is offered by others and by theirs: uninstall one of them$"):
        plugins.find(GROUP, "answer")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("import no_such_package\n", "No module named"), ("1 / 0\n", "division by zero"), ("", "no attribute 'make'")],
)
def test_a_package_that_breaks(offer, text, reason):
    offer("broken", text, "answer = broken:make")
    with pytest.raises(UsageError, match=rf"solver `answer` of broken \(broken:make\) cannot be loaded: .*{reason}"):
        plugins.find(GROUP, "answer")


def test_a_package_that_breaks_is_loaded_only_when_asked_for(offer):
    offer("broken", "1 / 0\n", "answer = broken:make")
    assert "answer" in plugins.names(GROUP)
    assert callable(plugins.find(GROUP, "bitwuzla"))


def test_an_installation_that_is_older_than_the_source(monkeypatch):
    monkeypatch.setattr(plugins, "_registered", lambda: {"veer.solvers": {"gone": "veer.no_such_module:make"}})
    with pytest.raises(StaleInstallationError, match=r"no strategy of veer's own is registered.*pip install -e"):
        plugins.find("veer.strategies", "dfs")
    with pytest.raises(StaleInstallationError, match=r"the solver `gone`, is not there.*install it again"):
        plugins.find("veer.solvers", "gone")
