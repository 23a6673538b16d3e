"""./lab roofline as a command: what it measures, leaves out and writes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.building.lab import Lab
from nbody_lab.commands import roofline as command
from nbody_lab.limits import points
from nbody_lab.measure.bench_file import BenchResult
from tests.conftest import Ended
from tests.limits import roofline_for_tests as made

KINDS = {"naive": "naive", "mine": "mine", "openmp": "rung", "race": "exhibit", "lost": "rung"}


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
            rows.append(measured | {"interactions_per_s": {"median": 3e8}})
        manifest = {"version": 2, "parts": [{"name": "part1", "device": "cpu"}]}
        self.manifest.write_text(json.dumps(manifest | {"implementations": implementations}))
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


@pytest.fixture
def roofline(
    run_lab: Callable[..., Ended], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Command:
    found = Command(run_lab, tmp_path)
    monkeypatch.setattr(command, "FOLDER", found.folder)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "Lab", lambda part: found.lab)
    monkeypatch.setattr(command, "known_ceilings", lambda lab: made.ceilings_of_processor())
    monkeypatch.setattr(command.pictures, "can_draw", lambda: False)
    monkeypatch.setattr(points, "hidden_counts", lambda _: found.hidden)
    monkeypatch.setattr(points, "bench_result", lambda lab, _: lab.timed)
    return found


HIDDEN = "counts are hidden until the worksheet's counts are right (./lab worksheet part1)"


@pytest.mark.parametrize(
    ("words", "hidden", "names", "left_out", "said"),
    [
        ("part1", [], ["naive", "mine", "openmp"], {"lost": "not counted"}, "part1.json\n"),
        ("-n 1000 part1 mine", [], ["mine"], {}, "1000 bodies"),
        ("part1 mine", ["naive", "mine"], [], {"mine": HIDDEN}, "AVX2 48.0 Gflop/s"),
        ("part1 race", [], [], {"race": "the bench says: wrong"}, "left out: race: the bench says"),
    ],
)
def test_what_has_a_point(
    roofline: Command,
    words: str,
    hidden: list[str],
    names: list[str],
    left_out: dict[str, str],
    said: str,
) -> None:
    """Without names all but exhibits. What is hidden is nowhere."""
    roofline.hidden = hidden
    ended = roofline(*words.split())
    assert (ended.status, said in ended.output) == (0, True), ended
    written = roofline.read()
    assert [point["name"] for point in written["points"]] == names
    assert {left["name"]: left["why"] for left in written["left_out"]} == left_out
    assert all(len(one["source_sha256"]) == 64 for one in written["points"])
    assert all(one["busy_machine"] == (one["name"] == "openmp") for one in written["points"])


def test_what_does_not_compile_ends_it_only_where_it_was_asked_for(roofline: Command) -> None:
    roofline.lab.compiles = False
    assert roofline("part1", "mine").status == 1
    assert not roofline.folder.exists()
    ended = roofline("part1")
    assert (ended.status, len(roofline.read()["points"])) == (0, 3)
    assert "continuing without what did not compile" in ended.error


def test_saved_files_are_shown_without_measuring(roofline: Command) -> None:
    file = roofline.folder / "older.json"
    file.parent.mkdir()
    file.write_text(made.roofline().model_dump_json())
    roofline.lab.compiles = False
    ended = roofline("--from", file)
    assert (ended.status, "third_law" in ended.output) == (0, True), ended
    assert roofline.read("older") == json.loads(made.roofline().model_dump_json())


def test_measure_alone(roofline: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shows what was measured."""
    monkeypatch.setattr(command, "measure_ceilings", lambda lab: made.ceilings_of_processor())
    monkeypatch.setattr(command, "with_gpu_rows", lambda lab, ceilings: ceilings)
    ended = roofline("--measure")
    assert ended.status == 0, ended.error
    assert "cpu, float, 1 thread\ncomputing  scalar 6.00 Gflop/s, " in ended.output
