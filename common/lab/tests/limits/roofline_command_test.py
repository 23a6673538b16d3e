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
from nbody_lab.limits.stored import stored_roofline
from nbody_lab.measure import bound_file
from nbody_lab.measure.bench_file import BenchResult
from nbody_lab.measure.results import NoInput, Roofline
from tests.conftest import Ended
from tests.limits import roofline_for_tests as made
from tests.limits.bounds_for_tests import make_bound

KINDS = {
    "naive": "naive",
    "mine": "mine",
    "fused": "rung",
    "openmp": "rung",
    "race": "exhibit",
    "lost": "rung",
}


class TinyLab(Lab):
    """A part in which all but lost is counted; race is wrong, and openmp is timed on a busy machine. Nothing is built."""

    compiles = True

    def __init__(self, folder: Path) -> None:
        super().__init__("part1")
        self.build_dir, self.manifest, self.log = folder, folder / "manifest.json", folder / "log"
        programs = folder / "bin/part1"
        programs.mkdir(parents=True)
        implementations, rows = [], []
        for name, kind in KINDS.items():
            (programs / f"{name}_count").touch()
            made.write_counts(programs / f"{name}_count.json", made.FUSED)
            row = {"part": "part1", "name": name, "kind": kind, "source": "LICENSE"}
            row["programs"] = [{"precision": "float", "program": f"bin/part1/{name}"}]
            row["count"] = None if name == "lost" else {"program": f"bin/part1/{name}_count"}
            implementations.append(row)
            outcome = "wrong" if name == "race" else "right"
            measured = {"name": name, "precision": "float", "busy_machine": name == "openmp"}
            measured |= {"outcome": outcome, "verdict": outcome}
            for threads in (1, 2):
                speed = {"threads": threads, "interactions_per_s": {"median": 3e8 * threads}}
                rows.append(measured | speed)
        parts = [{"name": "part1", "device": "cpu"}]
        manifest = {"version": 2, "parts": parts, "implementations": implementations}
        self.manifest.write_text(json.dumps(manifest))
        self.timed = BenchResult.model_validate({"summary": rows})

    def begin(self) -> None:
        """Takes no lock."""

    def try_to_build(self, label: str, *targets: str) -> bool:
        return self.compiles

    def works(self, label: str, *command: object) -> bool:
        return command[0] == "ninja" or super().works(label, *command)


class Command:
    """The command in a folder of its own, with a tiny lab."""

    def __init__(self, run_lab: Callable[..., Ended], build: Path) -> None:
        self.run_lab, self.folder, self.lab = run_lab, build / "roofline", TinyLab(build)
        self.hidden: list[str] = []

    def __call__(self, *words: object) -> Ended:
        return self.run_lab("roofline", *words)

    def read(self, stem: str = "part1") -> Any:
        return json.loads((self.folder / f"{stem}.json").read_text())

    def names(self) -> list[str]:
        return [point["name"] for point in self.read()["points"]]

    def left_out(self) -> dict[str, str]:
        return {left["name"]: left["why"] for left in self.read()["left_out"]}


@pytest.fixture
def roofline(
    run_lab: Callable[..., Ended], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Command:
    found = Command(run_lab, tmp_path)
    monkeypatch.setattr(command, "FOLDER", found.folder)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(bound_file, "ROOT", tmp_path)
    monkeypatch.setattr(command, "Lab", lambda part: found.lab)
    monkeypatch.setattr(command, "known_ceilings", lambda lab: made.ceilings_of_processor())
    monkeypatch.setattr(command.pictures, "can_draw", lambda: False)
    monkeypatch.setattr(points, "hidden_counts", lambda _: found.hidden)
    monkeypatch.setattr(points, "bench_result", lambda lab, _: lab.timed)
    return found


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
    roofline.hidden += ["naive", "mine"]
    ended = roofline("part1", "naive", "mine")
    assert (ended.status, roofline.names()) == (0, [])
    assert "left out: naive, mine: counts are hidden" in ended.output
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
    programs = roofline.lab.build_dir / "bin/part1"
    (programs / "fused").write_bytes(b"no threads")
    (programs / "openmp").write_bytes(b"it calls GOMP_parallel here")
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
    """Shows what was measured."""
    monkeypatch.setattr(command, "measure_ceilings", lambda lab: made.ceilings_of_processor())
    monkeypatch.setattr(command, "with_gpu_rows", lambda lab, ceilings: ceilings)
    ended = roofline("--measure")
    assert ended.status == 0, ended.error
    assert "cpu, float, 1 thread\ncomputing  scalar 6.00 Gflop/s, " in ended.output


def test_a_point_of_a_gpu_knows_what_the_bound_found(
    roofline: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads the machine code here."""
    slots = make_bound(limit=("slots",), bound_interactions_per_s=5e11, program="fused")
    (tmp_path / "bound.json").write_text(slots.model_dump_json())
    monkeypatch.setattr(points, "bound_file", lambda *_: tmp_path / "bound.json")
    setting, ceilings = points.Setting("gpu 0", "float", 0, 4096), made.ceilings_like_h200()
    point = points.place_program(roofline.lab, 1, "fused", 4e11, setting, ceilings)
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
    assert "H200" in data.machine and data.n == 131072
    begin = "no GPU answers here: these are the figures of data/results, measured on"
    assert data.notes[0].startswith(begin)
    assert data.notes[1].startswith("without a GPU: ./lab bound part3 mine")
    assert data.points[0].intensity == pytest.approx(21 / 28, abs=1e-3)


def test_a_handout_has_the_ceilings_alone(
    show_stored: Callable[..., Roofline], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without those, there is nothing to show."""
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    data = show_stored()
    assert data.points == ()
    assert "these are the ceilings of a GPU of tests" in data.notes[0]
    (tmp_path / "ceilings.json").unlink()
    message = "^no GPU answers here, and data/results has no ceilings.json: measure on a machine"
    with pytest.raises(NoInput, match=message):
        show_stored()


@pytest.mark.parametrize(
    ("name", "how", "why"),
    [
        ("naive", {"hidden": ["naive"]}, "counts are hidden"),
        ("third_law", {}, "was not counted on that GPU"),
        ("mine", {}, "your own code is only timed on a GPU"),
        ("tiles", {"precision": "double"}, "not measured there in double"),
    ],
)
def test_what_is_left_out(
    show_stored: Callable[..., Roofline], name: str, how: Any, why: str
) -> None:
    """With its reason; a name that is nowhere is refused."""
    (left,) = show_stored(name, **how).left_out
    assert left.name == name and left.why.startswith(why)
    with pytest.raises(LabError, match=r"no implementation .naiv.; did you mean naive\?"):
        show_stored("naiv")
