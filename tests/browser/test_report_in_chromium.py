"""report.html and index.html in a real headless Chromium: no console error, all sections, no sideways scrolling.

A window is never narrower than 500 pixels there: the page is shown in a frame, which may be as narrow as a phone.
Screenshots (light, dark, phone) are kept in $VEER_SCREENSHOTS when it is set, for CI.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from report_samples import full

from veer.model.ending import Claim, Ending, EndingKind
from veer.model.joined import abridged, joined
from veer.model.result import Count
from veer.model.survey import Row
from veer.report import html, index

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
SCHEMES = {"dark": "0", "light": "1"}
PROBE = """
<script>
addEventListener("load", function () {
  var details = document.querySelectorAll(".tree details"), before = 0, after = 0;
  details.forEach(function (node) { node.open = false; });
  document.querySelector("[data-unfold=open]").click();
  details.forEach(function (node) { after += node.open; });
  document.querySelector("[data-unfold='']").click();
  details.forEach(function (node) { before += node.open; });
  function contrast(selector) {
    function parts(text) { return text.match(/[\\d.]+/g).map(Number); }
    function linear(v) { v /= 255; return v <= .03928 ? v / 12.92 : Math.pow((v + .055) / 1.055, 2.4); }
    function light(c) { c = c.slice(0, 3).map(linear);
      return .2126 * c[0] + .7152 * c[1] + .0722 * c[2]; }
    var node = document.querySelector(selector), at = node, back = [0, 0, 0, 0];
    while (at && !back[3] && back.length > 3) {
      back = parts(getComputedStyle(at).backgroundColor);
      at = at.parentElement;
    }
    var a = light(parts(getComputedStyle(node).color)), b = light(back);
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  }
  var worst = Math.min.apply(null, ["body", "a[href='#bugs']", ".small", ".heading", "tr.covered pre",
    "tr.partial .why", "tr.uncovered .why", "tr.bug .n", ".card .place", ".tree .state"].map(contrast));
  var result = { tree: details.length, folded: before, unfolded: after, contrast: worst,
    sections: Array.from(document.querySelectorAll("main > section")).map(function (s) { return s.id; }),
    graphs: Array.from(document.querySelectorAll("svg.graph")).filter(function (g) {
      return g.getBoundingClientRect().right > innerWidth; }).length,
    width: innerWidth,
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth };
  document.documentElement.setAttribute("data-probe", JSON.stringify(result));
});
</script>"""


FRAME = """<!doctype html><meta charset="utf-8"><style>body { margin: 0 } iframe { border: 0; display: block }</style>
<iframe width="WIDTH" height="HEIGHT" srcdoc="PAGE"></iframe>
<script>
addEventListener("load", function () {
  var page = document.querySelector("iframe").contentDocument.documentElement;
  document.documentElement.setAttribute("data-probe", page.getAttribute("data-probe") || "");
});
</script>"""


def framed(text: str, width: int, height: int) -> str:
    """A page that shows this one as a window of that width would."""
    page = text.replace("&", "&amp;").replace('"', "&quot;")
    return FRAME.replace("WIDTH", str(width)).replace("HEIGHT", str(height)).replace("PAGE", page)


def _run(folder: Path, scheme: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr"]
    profile = [f"--user-data-dir={folder / 'profile'}", f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"]
    return subprocess.run(
        [*command, *profile, *arguments], capture_output=True, text=True, errors="replace", timeout=60, check=True
    )


WINDOWS = [("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400)]


@pytest.mark.parametrize(("scheme", "width"), WINDOWS)
def test_the_report_opens(tmp_path: Path, scheme: str, width: int) -> None:
    text = html.render(full())
    probed = tmp_path / "probed.html"
    probed.write_text(framed(text.replace("</body>", PROBE + "</body>"), width, 900))
    done = _run(
        tmp_path,
        scheme,
        f"--window-size={max(width, 500)},900",
        "--virtual-time-budget=2000",
        "--dump-dom",
        probed.as_uri(),
    )
    assert not re.search(r"CONSOLE|Uncaught|ERR_", done.stderr), done.stderr
    found = re.search(r'data-probe="([^"]*)"', done.stdout)
    assert found is not None
    probe = json.loads(found[1].replace("&quot;", '"'))
    assert probe["sections"] == ["bugs", "coverage", "source", "tests", "course", "tree", "ledger"]
    assert probe["tree"] > 0 and probe["folded"] == 0 and probe["unfolded"] == probe["tree"]
    assert probe["width"] == width and not probe["wide"] and not probe["graphs"]
    assert probe["contrast"] >= 4.5


@pytest.mark.parametrize(("scheme", "width"), WINDOWS)
def test_a_screenshot_is_taken(tmp_path: Path, scheme: str, width: int) -> None:
    report = tmp_path / "report.html"
    report.write_text(framed(html.render(full()), width, 2400))
    kept = Path(os.environ.get("VEER_SCREENSHOTS", tmp_path))
    kept.mkdir(parents=True, exist_ok=True)
    picture = kept / f"report-{scheme}-{width}.png"
    _run(tmp_path, scheme, f"--window-size={max(width, 500)},2400", f"--screenshot={picture}", report.as_uri())
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 20_000


OVERVIEW = """
<script>
addEventListener("load", function () {
  var found = Array.from(document.querySelectorAll("#functions a"));
  var links = found.map(function (a) { return a.getAttribute("href"); });
  var result = { links: links, wide: document.documentElement.scrollWidth > document.documentElement.clientWidth };
  document.documentElement.setAttribute("data-probe", JSON.stringify(result));
});
</script>"""


@pytest.mark.parametrize(("scheme", "width"), WINDOWS)
def test_the_page_of_all_functions_opens(tmp_path: Path, scheme: str, width: int) -> None:
    ending = Ending(EndingKind.EXHAUSTED, Claim.PATHS)
    rows = (
        Row("quiet", "unit.c:1", paths=3, branches=Count(4, 4), ending=ending, remarks=("a remark " * 20,)),
        Row("a_function_with_a_rather_long_name", "unit.c:9", branches=Count(7, 8), bugs=2, errors=1, ending=ending),
        Row("vast", "unit.c:20", "cannot be an entry: " + "the parameter is too wide " * 8),
    )
    probed, kept = tmp_path / "index.html", Path(os.environ.get("VEER_SCREENSHOTS", tmp_path))
    kept.mkdir(parents=True, exist_ok=True)
    text = index.render(rows, joined((abridged(full()),), "unit.c"))
    probed.write_text(framed(text.replace("</body>", OVERVIEW + "</body>"), width, 1600))
    size = f"--window-size={max(width, 500)},1600"
    done = _run(tmp_path, scheme, size, "--virtual-time-budget=2000", "--dump-dom", probed.as_uri())
    assert not re.search(r"CONSOLE|Uncaught|ERR_", done.stderr), done.stderr
    found = re.search(r'data-probe="([^"]*)"', done.stdout)
    assert found is not None
    probe = json.loads(found[1].replace("&quot;", '"'))
    assert probe["links"] == ["a_function_with_a_rather_long_name/report.html", "quiet/report.html"]
    assert not probe["wide"]
    picture = kept / f"index-{scheme}-{width}.png"
    _run(tmp_path, scheme, size, f"--screenshot={picture}", probed.as_uri())
    assert picture.read_bytes().startswith(b"\x89PNG")
