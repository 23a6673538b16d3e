"""./lab bench: what it refuses before anything is built, and what it passes on."""

import subprocess
from pathlib import Path

import pytest

from nbody_lab import cli, workshop
from tests import ended_with


@pytest.fixture(autouse=True)
def builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever would lock, configure or build fails."""

    def refuse(*_: object) -> None:
        raise AssertionError("configures or builds")

    for name in ("lock", "configure", "step", "works"):
        monkeypatch.setattr(workshop.Workshop, name, refuse)


REFUSED = {
    "part1 naive -n 0": "-n needs numbers of bodies from 1 to 16777216",
    "part1 naive -n=5": "not '=5'",
    "part1 naive -n 5,5": "-n has a number twice: 5,5",
    "part1 naive --rounds 0": "--rounds should be greater than or equal to 1",
    "part1 naive --threads 1,x": "--threads needs numbers of threads from 1 to 4096",
    "part1 naive --precision half": "--precision 'half' is not one of",
    "part1 naive --scene nothing": "--scene does not know 'nothing'",
    "part1 naive --filter (": "--filter needs a regular expression",
    "part1 naive --quik": "there is no option --quik; did you mean --quick?",
    "part1 naive --json /no/such/x": "/no/such/x cannot be written: there is no folder /no/such",
    "part1 naive --json /tmp": "/tmp cannot be written: it is a folder",
    "part1 naive --plot /proc/x": "--plot /proc/x cannot be written",
    "part1 naive --study": "--study needs a value after it",
    "part1 --study nothing": "bench part1 has no study 'nothing'; there are compilers, energy",
    "part1 --study energi": "no study 'energi'; did you mean energy?",
    "part1 --study compilers naive": "takes naive, mine and the best: leave out the names",
    "part1 --study energy naive mine": "--study energy takes one implementation",
    "part1 --study energy --quick": "takes no --quick; it has --json FILE and --plot FOLDER",
    "part1 --study energy -n 9": "takes no -n; it has --json FILE and --plot FOLDER",
    "--compare a.json b.json": "a.json: No such file or directory",
    "--compare README.md LICENSE": "README.md: not a result of ./lab bench: write one with --json",
    "--compare README.md LICENSE -n 5": "measures nothing: leave out everything else",
    "part1 --compare README.md LICENSE": "measures nothing: leave out everything else",
    "": "bench needs a part; for example: ./lab bench part1 mine",
}


@pytest.mark.parametrize(("words", "why"), REFUSED.items())
def test_what_is_wrong_is_refused_before_anything_is_built(words: str, why: str) -> None:
    """In one line, with status 2."""
    status, out, err = ended_with(cli.run, ["bench", *words.split()])
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("lab: ") and why in err


def test_copies_takes_only_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The study of the copies has its own sizes."""
    monkeypatch.setattr(workshop.Workshop, "refuse_without_gpu", lambda *_: None)
    words = ["bench", "part3", "--study", "copies", "--quick"]
    assert ended_with(cli.run, words) == (
        2,
        "",
        "lab: bench --study copies takes no --quick; it has --plot FOLDER\n",
    )


def test_options_reach_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they were typed, and --json only as the file that is drawn."""
    from nbody_lab.commands import bench

    prepared = []

    def prepare(lab: object, study: object, names: object, options: object, double: bool) -> object:
        prepared.append((study, names, options, double))
        return lambda file: prepared.append(file) or 0

    monkeypatch.setattr(bench, "_prepare", prepare)
    monkeypatch.setattr(workshop.Workshop, "begin", lambda _: None)
    monkeypatch.setattr(bench.pictures, "can_draw", lambda: False)
    file = tmp_path / "x.json"
    words = f"part1 mine.hpp -n 50,60 --precision float,double --vdt --json {file}".split()
    assert ended_with(cli.run, ["bench", *words])[0] == 0
    assert prepared == [
        (None, ["mine"], ["-n", "50,60", "--precision", "float,double", "--vdt"], True),
        file,
    ]


def test_nothing_heavy_is_imported() -> None:
    """A command line that is refused needs no numpy and no matplotlib."""
    code = (
        "import sys; import nbody_lab.commands.bench, nbody_lab.studies.simulate;"
        "print({'numpy', 'matplotlib', 'osaca'} & set(sys.modules))"
    )
    done = subprocess.run(
        [cli.sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stdout == "set()\n", done.stderr
