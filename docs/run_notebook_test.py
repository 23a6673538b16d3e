"""run_notebook.py, which finds what is wrong in a notebook; and the notebook of part 3, without running its commands."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from nbody_lab import ROOT
from run_notebook import read_cells, text_of

RUNNER = ROOT / "docs/run_notebook.py"
NOTEBOOK = ROOT / "part3_cuda/hosted_gpu.ipynb"
of_part3 = pytest.mark.skipif(not NOTEBOOK.exists(), reason="a handout may lack part 3")


def cell(source, kind="code", **metadata):
    return {"cell_type": kind, "metadata": metadata, "source": source.splitlines(True)}


def run(folder, *cells):
    file = folder / "book.ipynb"
    file.write_text(json.dumps({"cells": cells}))
    return subprocess.run(
        [sys.executable, RUNNER, file], cwd="/", capture_output=True, text=True, check=False
    )


def test_cells_run_in_order_in_the_folder(tmp_path):
    """They share their variables; a command sees them in braces."""
    ended = run(
        tmp_path,
        cell("# Not run\n!false", "markdown"),
        cell("name = 'made'\nfor k in range(2):\n    !echo {name} {k + 1}"),
        cell("%%writefile made.txt\nold { }\n!last", replace="old", by="new"),
        cell("!cat made.txt\nprint(name)"),
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (tmp_path / "made.txt").read_text() == "new { }\n!last\n"
    said = [line for line in ended.stdout.splitlines() if line[0] not in "$-"]
    assert said == ["made 1", "made 2", "new { }", "!last", "made"]


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("!exit 3", "status 3: exit 3"),
        ("if True:\n    !false | cat; false", "status 1: false | cat; false"),
        ("!echo $HOME", "a $ in a !COMMAND: Jupyter takes it for a variable of Python"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("%timeit 1", "docs/run_notebook.py does not know %timeit"),
        ("  %cd ..", "docs/run_notebook.py does not know %cd"),
        ("%%bash\ntrue", "docs/run_notebook.py does not know %%bash"),
        (
            "from IPython.display import Image\nImage(filename='no.png')",
            "there is no picture no.png",
        ),
        ("from IPython.display import SVG", "ImportError: cannot import name 'SVG'"),
    ],
)
def test_the_first_cell_that_fails_is_the_last(source, fault, tmp_path):
    ended = run(tmp_path, cell("1"), cell(source), cell("!touch ran"))
    assert ended.returncode == 1
    assert f"book.ipynb: cell 2: {fault}" in ended.stderr
    assert not (tmp_path / "ran").exists()


# --- part 3's ------------------------------------------------------------------------------------


def cells_of_part3(kind):
    return read_cells(NOTEBOOK.read_text(encoding="utf-8"), kind)


def cell_of_part3(name):
    return next(cell for cell in cells_of_part3("code") if cell["id"] == name)


@of_part3
def test_it_is_kept_in_one_form():
    """As Jupyter writes it, but without what a run leaves there."""
    text = NOTEBOOK.read_text(encoding="utf-8")
    book = json.loads(text)
    assert text == json.dumps(book, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    cells = cells_of_part3("code")
    assert [cell["id"] for cell in cells if cell["outputs"] or cell["execution_count"]] == []
    names = [cell["id"] for cell in book["cells"]]
    assert len(set(names)) == len(names)


@of_part3
def test_its_editor_holds_mine():
    mine = (ROOT / "part3_cuda/mine.cuh").read_text(encoding="utf-8")
    assert cell_of_part3("edit")["source"] + "\n" == f"%%writefile part3_cuda/mine.cuh\n{mine}"


@of_part3
def test_what_it_asks_for_is_in_its_text():
    """The edit with which the documents' suite runs it."""
    edit = cell_of_part3("edit")
    old, new = edit["metadata"]["replace"], edit["metadata"]["by"]
    assert edit["source"].count(old) == 1
    assert f"Replace `{old}` by `{new}`" in " ".join(text_of(NOTEBOOK.read_text()).split())


@pytest.fixture
def tiny_lab(tmp_path):
    """As git keeps it, and as an archive of the class."""
    lab = tmp_path / "from/nbody_lab"
    lab.mkdir(parents=True)
    (lab / "lab").touch()
    who = ("-c", "user.name=A", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "lab"), (*who, "commit", "-q", "-m", "1")):
        subprocess.run(["git", *words], cwd=lab, check=True)
    archive = shutil.make_archive(str(lab), "gztar", lab.parent, "nbody_lab")
    return {"git": f"file://{lab}", "archive": archive, "here": "not needed", "typo": "no.tar.gz"}


@of_part3
@pytest.mark.parametrize(
    ("kind", "found"),
    [("git", "nbody_lab"), ("archive", "nbody_lab"), ("here", "."), ("typo", None)],
)
def test_it_fetches_the_lab(kind, found, tiny_lab, tmp_path):
    """From git or from an archive; nothing where it lies in a lab already."""
    here = tmp_path / "here/part3_cuda"
    here.mkdir(parents=True)
    if kind == "here":
        (here.parent / "lab").touch()
    fetch = cell_of_part3("fetch")["source"]
    assert fetch.startswith('LAB = "nbody_lab.tar.gz"\n')
    fetch = fetch.replace("nbody_lab.tar.gz", tiny_lab[kind], 1)
    ended = run(here, cell(fetch), cell("!pwd"))
    assert (ended.returncode == 0) == (found is not None), ended.stderr
    if found:
        folder = here.parent if kind == "here" else here / found
        assert ended.stdout.splitlines()[-1] == str(folder)
    else:
        assert "status 2: tar xzf no.tar.gz" in ended.stderr


# Writes down its words, and draws.
STAND_IN = """#!/bin/bash
echo "$*" >>said
for folder in build/roofline part3_cuda/notebook; do
  mkdir -p $folder
  printf '\\x89PNG\\r\\n\\x1a\\n' >$folder/part3.png
done
"""
MEASURES = "try part3 mine one instruction for the root and the division --expect 1.5"
ROOFLINE = "roofline part3 naive mine"


@of_part3
@pytest.mark.parametrize(
    ("status", "commands"),
    [
        (0, ["setup --pictures --cuda", "check part3 mine", MEASURES, ROOFLINE]),
        (9, ["setup --pictures", *["check part3 mine --on-cpu"] * 2]),
    ],
    ids=["with a GPU", "without"],
)
def test_what_it_asks_of_the_lab(status, commands, tmp_path, monkeypatch):
    """With a GPU it measures and draws; without, it runs kernels on the CPU."""
    (tmp_path / "part3_cuda").mkdir()
    for name, text in {"lab": STAND_IN, "nvidia-smi": f"#!/bin/sh\nexit {status}\n"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    ended = run(tmp_path / "part3_cuda", *cells_of_part3("code"))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (tmp_path / "said").read_text().splitlines() == commands
    shown = "[build/roofline/part3.png]\n[part3_cuda/notebook/part3.png]"
    assert (shown in ended.stdout) == (status == 0)
    assert (tmp_path / "my_part3.tar.gz").stat().st_size > 100
