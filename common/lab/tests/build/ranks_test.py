"""The command lines that start programs of several processes."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nbody_lab.build.ranks import demand_one_process, take_ranks, words_to_start
from nbody_lab.core.errors import LabError


def _lab(launcher: tuple[str, ...] = ("/bin/mpiexec", "-n", "RANKS"), ranks: int = 4) -> Any:
    return SimpleNamespace(
        part="part4",
        build=Path("/build"),
        of_part={"launcher": launcher, "ranks": ranks}.get,
        program=lambda name: f"bin/part4/{name}",
        find=lambda _: SimpleNamespace(arguments=()),
        targets=lambda name, precision: [f"bin/part4/{name}_{precision}"],
    )


@pytest.mark.parametrize(
    ("options", "ranks", "started"),
    [
        ("-n 5", None, "/bin/mpiexec -n 4 /build/bin/part4/naive -n 5"),
        ("-i 1 -v", 7, "/bin/mpiexec -n 7 /build/bin/part4/naive -i 1 -v"),
        (
            "--precision double",
            None,
            "/bin/mpiexec -n 4 /build/bin/part4/naive_double --precision double",
        ),
    ],
)
def test_the_launcher_stands_in_front(options: str, ranks: int | None, started: str) -> None:
    """With the part's own number, or the one asked for; each precision is a program of its own."""
    assert " ".join(words_to_start(_lab(), "naive", options.split(), ranks)) == started


def test_other_parts_are_one_process() -> None:
    """So they take one rank, and only they can be examined by most commands."""
    single = _lab(launcher=())
    started = words_to_start(single, "naive", ["-n", "5"], 1)
    assert started == ["/build/bin/part4/naive", "-n", "5"]
    with pytest.raises(LabError, match="--ranks: part4 runs as one process"):
        words_to_start(single, "naive", [], 2)
    demand_one_process(single, "profile")
    with pytest.raises(LabError, match="profile works on one process"):
        demand_one_process(_lab(), "profile")


def test_many_ranks_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """They take turns."""
    words_to_start(_lab(), "naive", [], 60000)
    assert "60000 ranks take turns" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["-i 1 --ranks 7 -v", "-i 1 --ranks=7 -v"])
def test_ranks_are_taken_from_the_options(words: str) -> None:
    """In both forms; without them there is no number."""
    assert take_ranks(words.split()) == (7, ["-i", "1", "-v"])
    assert take_ranks(["-i", "1"]) == (None, ["-i", "1"])


@pytest.mark.parametrize(
    "words", ["--ranks", "--ranks 0", "--ranks -n", "--ranks=x", "--ranks=²", "--ranks 70000"]
)
def test_no_number_of_ranks_is_refused(words: str) -> None:
    """With the numbers that are possible."""
    with pytest.raises(LabError, match="--ranks needs a number of processes from 1 to 65536"):
        take_ranks(words.split())
