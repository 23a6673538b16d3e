"""The solved page of a task: where it is, when it opens, what the notebook records."""

import re
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.messages import Failure, UserError
from nbody_lab.tasks import solved

DOCUMENT = """# The ladder

## Measured

table

## Why

not this

<!-- page of tasks 8, 9 -->

**fused**. Once.

<!-- table work -->
<!-- page of task 10 -->

**openmp**. Rows.

## The end

<!-- page of task 8 -->

More of 8.

## Answers

secret
"""
MINE = "class Mine : public Naive {\n  void compute_accelerations() override {}\n};\n"


@pytest.fixture
def solved_part(tmp_path: Path) -> Path:
    """The folder of a part with solutions; nothing has passed."""
    for made in ("solutions/part1_words", "part1_words/notebook/passed"):
        (tmp_path / made).mkdir(parents=True)
    (tmp_path / "solutions/part1_words/README.md").write_text(DOCUMENT)
    return tmp_path / "part1_words"


def _pass(part: Path, name: str = "mine.hpp", text: str = MINE) -> None:
    (part / "notebook/passed" / name).write_text(text)


def _open(part: Path, task: str) -> str:
    return solved.open_page(part.parent, "part1", part, task)


def test_a_page_before_the_check_has_passed(
    solved_part: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says what is missing. The file as given opens nothing, nor does what was replaced."""
    _pass(solved_part, "mine.hpp.replaced")
    _pass(
        solved_part,
        text="class Mine : public Naive {\n  using Naive::Naive;  // void kick() {}\n};\n",
    )
    with pytest.raises(Failure) as failure:
        _open(solved_part, "8")
    assert failure.value.status == 1
    assert capsys.readouterr().err == (
        "lab: solve it first: the page of task 8 opens once a version with a function of its own has "
        "passed ./lab check part1 mine\n"
    )
    assert not (solved_part / "NOTEBOOK.md").exists()


@pytest.mark.parametrize(
    "text",
    [
        "class Mine : public Naive {\n  void kick(real dt) override {}\n};\n",
        "class Mine : public Fast {\n  using Fast::Fast;\n};\n",
    ],
)
def test_the_pages_of_a_task(text: str, solved_part: Path) -> None:
    """Noted once in the notebook."""
    _pass(solved_part, "mine_fused.hpp", text)
    for task in ("8", "8a", "8"):
        source = "from solutions/part1_words/README.md, beside the code"
        assert _open(solved_part, task) == (
            f"part1, task {task}, solved: {source}\n\n"
            "## Why\n\n**fused**. Once.\n\n## The end\n\nMore of 8."
        )
    assert "**openmp**. Rows." in _open(solved_part, "10")
    notebook = (solved_part / "NOTEBOOK.md").read_text()
    entries = "".join(
        rf"- task {task}, stage solved, \d{{4}}-\d\d-\d\d\n" for task in ("8", "8a", "10")
    )
    assert re.fullmatch(rf"## Hints opened\n\n{entries}", notebook)


@pytest.mark.parametrize("task", ["3", "x", "8zz"])
def test_no_page(task: str, solved_part: Path) -> None:
    words = f"part1 has no solved page for task '{task}'; it has pages for 8, 9, 10"
    with pytest.raises(UserError, match=f"^{words}$"):
        _open(solved_part, task)
    (solved_part.parent / "solutions/part1_words/README.md").unlink()
    with pytest.raises(UserError, match=r"^the solutions of part1 are not in this tree: ask your"):
        _open(solved_part, "8")


@pytest.mark.parametrize("file", sorted(ROOT.glob("solutions/part*/README.md")), ids=str)
def test_the_labs_own_pages(file: Path) -> None:
    """They are of tasks of the handout, and none has the answers to the worksheet."""
    handout = (ROOT / file.parent.name / "README.md").read_text(encoding="utf-8")
    pages = solved.parse_pages(file.read_text(encoding="utf-8"))
    assert pages
    for page in pages:
        text = "\n".join(page.lines)
        assert set(page.tasks) <= set(re.findall(r"^## (\d+) ", handout, re.MULTILINE))
        assert text.startswith("## ") and "<!--" not in text and "worksheet.hpp" not in text
