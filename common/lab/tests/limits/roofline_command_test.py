"""./lab roofline as a command: what it measures, leaves out, writes, and refuses with one line and status 2."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.building.lab import Lab
from nbody_lab.commands import roofline as command
from nbody_lab.core.errors import LabError
from nbody_lab.limits import points, stored
from nbody_lab.limits.points import Setting, place_program
from nbody_lab.limits.stored import stored_roofline
from nbody_lab.measure import bound_file
from nbody_lab.measure.results import NoInput, Roofline
from tests.conftest import Ended
from tests.limits import roofline_for_tests as made
from tests.limits.bounds_for_tests import make_bound
from tests.limits.lab_for_tests import TinyLab, bench_row

NAMES = ("naive", "mine", "fused", "openmp", "race", "lost")


class Command:
    """The command in a folder of its own, with a tiny lab: race is wrong, and openmp is timed on a busy machine."""

    def __init__(self, run_lab: Callable[..., Ended], build: Path, hidden: list[str]) -> None:
        self.run_lab, self.folder, self.hidden = run_lab, build / "roofline", hidden
        self.lab = TinyLab(build, "part1", NAMES)
        rows = [
            bench_row(name, threads=threads, interactions_per_s={"median": 3e8 * threads})
            | (dict.fromkeys(("outcome", "verdict"), "wrong") if name == "race" else {})
            | {"busy_machine": name == "openmp"}
            for name in NAMES
            for threads in (1, 2)
        ]
        self.lab.set_bench(*rows)
        self.programs = build / "bin/part1"
        self.programs.mkdir()
        for name in NAMES:
            made.write_counts(self.programs / f"{name}_count.json", made.FUSED)

    def __call__(self, *words: object) -> Ended:
        return self.run_lab("roofline", *words)

    def read(self, stem: str = "part1") -> Any:
        return json.loads((self.folder / f"{stem}.json").read_text())

    def names(self, stem: str = "part1") -> list[str]:
        return [point["name"] for point in self.read(stem)["points"]]

    def left_out(self) -> dict[str, str]:
        return {left["name"]: left["why"] for left in self.read()["left_out"]}


@pytest.fixture
def roofline(
    run_lab: Callable[..., Ended], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Command:
    hidden: list[str] = []
    made_command = Command(run_lab, tmp_path, hidden)
    monkeypatch.setattr(command, "FOLDER", made_command.folder)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(bound_file, "ROOT", tmp_path)
    monkeypatch.setattr(command, "Lab", lambda part: made_command.lab)
    monkeypatch.setattr(command, "known_ceilings", lambda lab: made.ceilings_of_processor())
    monkeypatch.setattr(command.pictures, "can_draw", lambda: False)
    monkeypatch.setattr(points, "hidden_counts", lambda _: hidden)
    return made_command


def test_without_names_all_but_exhibits(roofline: Command) -> None:
    """Options may stand before the part."""
    ended = roofline("-n", "1000", "part1")
    assert (ended.status, roofline.names()) == (0, ["naive", "mine", "fused", "openmp"])
    assert (roofline.left_out(), roofline.read()["n"]) == ({"lost": "not counted"}, 1000)
    assert ended.output.endswith("part1.json\n")
    written = roofline.read()["points"]
    assert [point["name"] for point in written if point["busy_machine"]] == ["openmp"]
    assert {len(point["source_sha256"]) for point in written} == {64}


def test_what_is_hidden_is_nowhere(roofline: Command) -> None:
    """With nothing to place, the ceilings are shown."""
    roofline.hidden.append("naive")
    ended = roofline("part1", "naive", "mine")
    assert roofline.names() == ["mine"]
    assert "left out: naive: counts are hidden" in ended.output
    roofline.hidden.append("mine")
    ended = roofline("part1", "mine")
    assert (ended.status, roofline.names()) == (0, [])
    assert "AVX2 48.0 Gflop/s" in " ".join(ended.output.split())


def test_what_is_wrong_has_no_point(roofline: Command) -> None:
    roofline("part1", "race")
    assert (roofline.names(), roofline.left_out()) == ([], {"race": "the bench says: wrong"})


def test_what_does_not_compile_ends_it_only_where_it_was_asked_for(roofline: Command) -> None:
    roofline.lab.compiles = False
    assert roofline("part1", "mine").status == 1
    assert not roofline.folder.exists()
    ended = roofline("part1")
    assert (ended.status, len(roofline.names())) == (0, 4)
    assert "continuing without what did not compile" in ended.error


def test_all_threads(roofline: Command) -> None:
    """Under the roof of one thread, if a program starts no others."""
    (roofline.programs / "fused").write_bytes(b"no threads")
    (roofline.programs / "openmp").write_bytes(b"it calls GOMP_parallel here")
    roofline("part1", "fused", "openmp", "--threads", "all")
    fused, openmp = roofline.read("part1_all_threads")["points"]
    assert (fused["threads"], openmp["threads"]) == (1, 2)
    assert openmp["roof_flops_per_s"] == 2 * fused["roof_flops_per_s"]


@pytest.mark.usefixtures("nothing_is_built")
def test_saved_files_are_shown_without_measuring(roofline: Command) -> None:
    file = roofline.folder / "older.json"
    file.parent.mkdir()
    file.write_text(json.dumps(made.roofline_json()))
    ended = roofline("part1", "--from", file)
    assert ended.status == 0, ended.error
    assert "third_law" in ended.output
    assert roofline.read("older") == made.roofline_json()


def test_measure_alone(roofline: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shows what was measured; it takes no other options."""
    monkeypatch.setattr(command, "measure_ceilings", lambda lab: made.ceilings_of_processor())
    monkeypatch.setattr(command, "with_gpu_rows", lambda lab, ceilings: ceilings)
    ended = roofline("--measure")
    assert ended.status == 0, ended.error
    assert "cpu, float, 1 thread\ncomputing  scalar 6.00 Gflop/s, " in ended.output
    assert "L1 (AVX-512) 384 GB/s" in ended.output


def test_a_point_knows_what_the_bound_found(
    roofline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a GPU, where nobody reads the machine code here."""
    bound = roofline.programs / "bound.json"
    slots = {"limit": ("slots",), "bound_interactions_per_s": 5e11, "program": "fused"}
    bound.write_text(make_bound(**slots).model_dump_json())
    monkeypatch.setattr(points, "bound_file", lambda *_: bound)
    setting = Setting("gpu 0", "float", 0, 4096)
    point = place_program(roofline.lab, 1, "fused", 4e11, setting, made.ceilings_like_h200())
    assert (point.limiter, point.share_of_limit) == ("issuing instructions", 0.8)


# Committed speeds and counts of part 3, under the test ceilings.

THERE = ["naive", "resident", "rsqrt", "float4", "tiles", "grid_stride", "unrolled"]


@pytest.fixture
def show_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Roofline]:
    file = tmp_path / "ceilings.json"
    file.write_text(json.dumps(made.ceilings_like_h200().as_json()))
    monkeypatch.setattr(stored, "CEILINGS", file)

    def show(*names: str, hidden: Any = (), precision: Any = "float") -> Roofline:
        monkeypatch.setattr(stored, "hidden_counts", lambda _: hidden)
        return stored_roofline(Lab("part3"), names, precision)

    return show


def test_what_was_counted_there_has_a_point(show_stored: Callable[..., Roofline]) -> None:
    data = show_stored()
    assert [point.name for point in data.points] == THERE
    assert "H200" in data.machine
    begin = "no GPU answers here: these are the figures of data/results, measured on"
    assert data.notes[0].startswith(begin)
    assert data.notes[1].startswith("without a GPU: ./lab bound part3 mine")
    assert data.points[0].intensity == pytest.approx(21 / 28, abs=1e-3)
    assert data.n == 131072
    assert "source" not in data.as_json()["points"][0]


def test_a_handout_has_the_ceilings_alone(
    show_stored: Callable[..., Roofline], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without those, there is nothing to show."""
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    data = show_stored()
    assert (data.points, data.n) == ((), 131072)
    assert "these are the ceilings of a GPU of tests" in data.notes[0]
    (tmp_path / "ceilings.json").unlink()
    message = "^no GPU answers here, and data/results has no ceilings.json: measure on a machine"
    with pytest.raises(NoInput, match=message):
        show_stored()


def test_a_name_that_is_nowhere(show_stored: Callable[..., Roofline]) -> None:
    with pytest.raises(
        LabError, match=r"^part3 has no implementation .naiv.; did you mean naive\?"
    ):
        show_stored("tiles", "naiv")


def test_what_is_left_out(show_stored: Callable[..., Roofline]) -> None:
    """Each with its reason."""

    def why_not(data: Roofline) -> dict[str, str]:
        return {left.name: left.why for left in data.left_out}

    hidden = show_stored(hidden=["naive"])
    assert [point.name for point in hidden.points] == THERE[1:]
    assert why_not(hidden)["naive"].startswith("counts are hidden")
    named = show_stored("tiles", "third_law", "mine")
    assert [point.name for point in named.points] == ["tiles"]
    assert why_not(named)["third_law"].startswith("was not counted on that GPU")
    assert why_not(named)["mine"].startswith("your own code is only counted and timed on a GPU")
    double = show_stored("tiles", precision="double")
    assert why_not(double) == {"tiles": "not measured there in double"}
