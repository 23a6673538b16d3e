"""The command lines that start programs of several processes."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nbody_lab.building.ranks import demand_one_process, words_to_start
from nbody_lab.core.errors import LabError


def _lab(launcher: tuple[str, ...] = ("/bin/mpiexec", "-n", "RANKS"), ranks: int = 4) -> Any:
    return SimpleNamespace(
        part="part4",
        build_dir=Path("/build"),
        of_part={"launcher": launcher, "ranks": ranks}.get,
        program=lambda name: f"bin/part4/{name}",
        find=lambda _: SimpleNamespace(arguments=()),
        targets=lambda name, precision: [f"bin/part4/{name}_{precision}"],
    )


@pytest.mark.parametrize(
    ("options", "ranks", "started"),
    [
        ("-i 1 -v", 7, "/bin/mpiexec -n 7 /build/bin/part4/naive -i 1 -v"),
        ("--precision double", None, "-n 4 /build/bin/part4/naive_double --precision double"),
    ],
)
def test_the_launcher_stands_in_front(options: str, ranks: int | None, started: str) -> None:
    """With the part's own number, or the one asked for; each precision is a program of its own."""
    assert " ".join(words_to_start(_lab(), "naive", options.split(), ranks)).endswith(started)


def test_other_parts_are_one_process() -> None:
    """So they take one rank, and only they can be examined by most commands."""
    single = _lab(launcher=())
    assert words_to_start(single, "naive", ["-n", "5"], 1) == ["/build/bin/part4/naive", "-n", "5"]
    with pytest.raises(LabError, match="--ranks: part4 runs as one process"):
        words_to_start(single, "naive", [], 2)
    demand_one_process(single, "profile")
    with pytest.raises(LabError, match="profile works on one process"):
        demand_one_process(_lab(), "profile")
