"""./lab report: which page it would write, and one line if it cannot."""

from pathlib import Path

import pytest

from nbody_lab.commands import report
from nbody_lab.draw import pictures
from nbody_lab.workshop import ROOT, known_parts

NEEDS = "needs ./lab setup --pictures once (400 MB); then run ./lab report"


@pytest.fixture
def installed(monkeypatch):
    """The packages that are there, which a test may take away."""
    packages = {"matplotlib"}
    monkeypatch.setattr(pictures, "has", lambda *wanted: packages.issuperset(wanted))
    return packages


@pytest.fixture
def written(monkeypatch):
    """The pages that would have been written."""
    pages = []
    monkeypatch.setattr(report, "write_page", lambda file, parts: pages.append((file, parts)) or 0)
    return pages


@pytest.mark.parametrize(
    ("words", "file", "parts"),
    [
        ([], ROOT / "build/report.html", known_parts()),
        (["part2", "part1_standard_opti/", "-o", "a/b.html"], Path("a/b.html"), ["part1", "part2"]),
    ],
)
def test_file_and_parts(words, file, parts, run_lab, installed, written):
    assert run_lab("report", *words) == (0, "", "")
    assert written == [(file, parts)]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--out", "x"], "report: there is no option --out"),
        (["-o"], "report: -o needs a value after it"),
        (["part7"], "there is no part 'part7'"),
        (["-o", "/"], "report: / is a folder: -o needs a file, for example /report.html"),
    ],
)
def test_a_mistake_is_one_line(words, complaint, run_lab, installed, written):
    status, output, error = run_lab("report", *words)
    assert (status, output, error.count("\n"), written) == (2, "", 1, [])
    assert error.startswith(f"lab: {complaint}")


def test_without_what_draws(run_lab, installed, written):
    installed.clear()
    assert run_lab("report") == (2, "", f"lab: the page {NEEDS} again\n")
    assert written == []


def test_the_demo_ends_with_it(installed, written, capsys):
    report.after_demo()
    assert len(written) == 1
    installed.clear()
    report.after_demo()
    assert capsys.readouterr().err == f"lab: a page of all this {NEEDS}\n"
