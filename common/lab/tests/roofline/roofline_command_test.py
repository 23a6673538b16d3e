"""./lab roofline as a command: what it measures, leaves out, writes, and refuses with one line and status 2."""

import json
from pathlib import Path

import pytest

from nbody_lab.commands import roofline as command
from nbody_lab.commands import roofline_steps as steps
from nbody_lab.core.bench_file import BenchResult
from nbody_lab.core.manifest import Implementation
from nbody_lab.core.results import NoInput
from nbody_lab.roofline import points, stored
from nbody_lab.roofline.points import Setting, place_program
from nbody_lab.roofline.stored import stored_roofline
from nbody_lab.workshop import Workshop
from tests.bound.bounds_for_tests import make_kernel_bound
from tests.roofline import roofline_for_tests as made

COUNTS = {
    "work": {
        "fixed_step": {
            key: {"polynomial": {"n2": amount, "n": 0, "1": 0, "over": 1}, "counted": {}}
            for key, amount in made.FUSED.as_json().items()
        }
    }
}
KINDS = {
    "naive": "naive",
    "mine": "mine",
    "fused": "rung",
    "openmp": "rung",
    "race": "exhibit",
    "lost": "rung",
}


def implementation(name, kind):
    counted = None if name == "lost" else {"program": f"{name}_count"}
    program = {"precision": "float", "program": name}
    row = {"part": "part1", "name": name, "kind": kind, "program": name}
    return Implementation.model_validate({**row, "programs": [program], "count": counted})


def bench(lab, names, *options):
    """Plays bench: race is wrong, and openmp is timed on a busy machine."""
    threads = int(options[options.index("--threads") + 1])
    rows = [
        {
            "name": name,
            "precision": "float",
            "threads": threads,
            "verdict": "wrong" if name == "race" else "right",
            "interactions_per_s": {"median": 3e8 * threads},
            "busy_machine": name == "openmp",
        }
        for name in names
    ]
    return BenchResult.model_validate({"summary": rows})


class Lab(Workshop):
    """A part with a few implementations; only mine has a source."""

    compiles = True

    def __init__(self, part=""):
        super().__init__(part)
        self.build = steps.FOLDER

    def find(self, name):
        return implementation(name, KINDS[name]) if name in KINDS else None

    def rows(self, kind=None, part=None):
        return [implementation(*item) for item in KINDS.items()]

    def source(self, name):
        return Path(__file__) if name == "mine" else self.build / f"{name}.hpp"

    def program(self, name):
        return name

    def targets(self, name, precision):
        return [name]

    def on_gpu(self):
        return False

    def build_targets(self, label, *targets):
        return self.compiles

    def begin(self):
        pass

    demand_part = unlock = begin

    def demand_name(self, name):
        assert name in KINDS


class Roofline:
    """The command in a folder of its own."""

    def __init__(self, run_lab, folder, hidden):
        self.run_lab, self.folder, self.hidden = run_lab, folder, hidden

    def __call__(self, *words):
        return self.run_lab("roofline", *words)

    def read(self, stem="part1"):
        return json.loads((self.folder / f"{stem}.json").read_text())

    def names(self, stem="part1"):
        return [point["name"] for point in self.read(stem)["points"]]

    def left_out(self):
        return {left["name"]: left["why"] for left in self.read()["left_out"]}


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """What is around the command: its folder, a fake part and bench, and counts."""
    monkeypatch.setattr(steps, "FOLDER", tmp_path)
    monkeypatch.setattr(steps, "ROOT", tmp_path)
    monkeypatch.setattr(command, "Workshop", Lab)
    monkeypatch.setattr(steps, "known_ceilings", lambda lab: made.ceilings_of_processor())
    monkeypatch.setattr(steps.pictures, "can_draw", lambda: False)
    counts = tmp_path / "counts.json"
    counts.write_text(json.dumps(COUNTS))
    monkeypatch.setattr(points, "count_to_file", lambda *_: True)
    monkeypatch.setattr(points, "counts_of", lambda *_: counts)
    monkeypatch.setattr(points, "bench_result", bench)
    return tmp_path


@pytest.fixture
def roofline(run_lab, lab, monkeypatch):
    hidden = []
    monkeypatch.setattr(points, "hidden_counts", lambda _: hidden)
    return Roofline(run_lab, lab, hidden)


def test_without_names_all_but_exhibits(roofline):
    ended = roofline("part1")
    assert (ended.status, roofline.names()) == (0, ["naive", "mine", "fused", "openmp"])
    assert roofline.left_out() == {"lost": "not counted"}
    assert "part1.json and .csv" in ended.output
    written = roofline.read()["points"]
    assert [point["name"] for point in written if point["busy_machine"]] == ["openmp"]
    assert [len(point["source_sha256"]) for point in written if point["name"] == "mine"] == [64]
    files = sorted(path.name for path in roofline.folder.iterdir())
    assert files == ["counts.json", "part1.csv", "part1.json"]


def test_a_selection_leaves_the_whole_as_it_is(roofline):
    """It has a file of its own, unless it has all that the whole has."""
    roofline("part1", "mine")
    assert roofline.names() == ["mine"]
    roofline("part1")
    whole = (roofline.folder / "part1.json").read_bytes()
    ended = roofline("part1", "naive", "mine")
    assert (roofline.folder / "part1.json").read_bytes() == whole
    assert roofline.names("part1_selection") == ["naive", "mine"]
    assert "part1_selection.json and .csv" in ended.output
    roofline("part1", "-n", "1000")
    assert roofline.read()["n"] == 1000


def test_options_may_stand_before_the_part(roofline):
    assert roofline("-n", "1000", "part1", "mine.hpp").status == 0
    assert (roofline.names(), roofline.read()["n"]) == (["mine"], 1000)


def test_what_is_hidden_is_nowhere(roofline):
    roofline.hidden.append("naive")
    ended = roofline("part1", "naive", "mine")
    assert roofline.names() == ["mine"]
    assert "left out: naive: counts are hidden" in ended.output
    assert "naive" not in (roofline.folder / "part1.csv").read_text()


def test_with_nothing_to_place_the_ceilings_are_shown(roofline):
    roofline.hidden += ["naive", "mine"]
    ended = roofline("part1", "naive", "mine")
    assert (ended.status, roofline.names()) == (0, [])
    assert "AVX2 48.0 Gflop/s" in " ".join(ended.output.split())


def test_what_is_wrong_has_no_point(roofline):
    roofline("part1", "race")
    assert roofline.names() == []
    assert roofline.left_out() == {"race": "the bench says: wrong"}


def test_what_does_not_compile_ends_it_only_where_it_was_asked_for(roofline, monkeypatch):
    monkeypatch.setattr(Lab, "compiles", False)
    assert roofline("part1", "mine").status == 1
    assert not (roofline.folder / "part1.json").exists()
    ended = roofline("part1")
    assert (ended.status, len(roofline.names())) == (0, 4)
    assert "continuing without what did not compile" in ended.error


def test_all_threads(roofline):
    """Under the roof of one thread, if a program starts no others."""
    (roofline.folder / "fused").write_bytes(b"no threads")
    (roofline.folder / "openmp").write_bytes(b"it calls GOMP_parallel here")
    roofline("part1", "fused", "openmp", "--threads", "all")
    fused, openmp = roofline.read("part1_all_threads")["points"]
    assert (fused["threads"], openmp["threads"]) == (1, 2)
    assert openmp["roof_flops_per_s"] == 2 * fused["roof_flops_per_s"]


def test_saved_files_are_shown_without_measuring(roofline, nothing_is_built):
    file = roofline.folder / "older.json"
    file.write_text(json.dumps(made.roofline_json()))
    ended = roofline("part1", "--from", file)
    assert ended.status == 0, ended.error
    assert "third_law" in ended.output
    assert (roofline.folder / "older.csv").exists()
    assert roofline.read("older") == made.roofline_json()
    other = roofline("part2", "--from", file)
    assert (other.status, other.error) == (2, f"lab: {file} is for part1, not part2\n")


def test_measure_alone(roofline, monkeypatch):
    """Shows what was measured; it takes no other options."""
    monkeypatch.setattr(steps, "measure_ceilings", lambda lab: made.ceilings_of_processor())
    monkeypatch.setattr(steps, "with_gpu_rows", lambda lab, ceilings: ceilings)
    ended = roofline("--measure")
    assert ended.status == 0, ended.error
    assert "cpu, float, 1 thread\ncomputing  scalar 6.00 Gflop/s, " in ended.output
    assert "L1 (AVX-512) 384 GB/s" in ended.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("part1 -n 1", "-n "),
        ("part1 -n", "-n"),
        ("part1 --quick", "there is no option --quick"),
        ("part1 --threads some", "takes a number or all, not 'some'"),
        ("part1 --threads 0", "takes a number or all, not '0'"),
        ("part1 --from /no/such.json", "/no/such.json cannot be read: No such file"),
        ("part9", "there is no part 'part9'"),
        ("", "roofline needs a part, for example: ./lab roofline part1 naive mine"),
        ("--measure --double", "roofline needs a part"),
    ],
)
def test_bad_words_are_one_line(run_lab, nothing_is_built, words, message):
    """Before anything is built."""
    ended = run_lab("roofline", *words.split())
    assert (ended.status, ended.output, ended.error.count("\n")) == (2, "", 1), ended.error
    assert message in ended.error


def test_threads_without_ceilings(roofline):
    ended = roofline("part1", "--threads", "3")
    assert (ended.status, ended.error) == (
        2,
        "lab: roofline: --threads takes 1 or 2 (their ceilings were measured) or all, not '3'\n",
    )


@pytest.mark.parametrize("found", [True, False], ids=["bound", "no bound"])
def test_a_point_knows_what_the_bound_found(lab, monkeypatch, found):
    """On a GPU, where nobody reads the machine code here."""
    bound = lab / "bound.json"
    if found:
        slots = {"limit": "slots", "bound_interactions_per_s": 5e11, "program": "fused"}
        bound.write_text(make_kernel_bound().model_copy(update=slots).to_json())
    monkeypatch.setattr(points, "bound_file", lambda *_: bound)
    setting = Setting("gpu 0", "float", 0, 4096)
    point = place_program(Lab("part1"), 1, "fused", 4e11, setting, made.ceilings_like_h200())
    assert ("issuing instructions" in [limit.name for limit in point.limits]) is found
    if found:
        assert (point.limiter, point.share_of_limit) == ("issuing instructions", 0.8)


# Committed speeds and counts of part 3, under the test ceilings.

THERE = ["naive", "resident", "rsqrt", "ftz", "float4", "grid_stride", "tiles", "unrolled"]


@pytest.fixture
def show_stored(tmp_path, monkeypatch):
    file = tmp_path / "ceilings.json"
    file.write_text(json.dumps(made.ceilings_like_h200().as_json()))

    def show(*names, hidden=(), precision="float"):
        monkeypatch.setattr(stored, "hidden_counts", lambda _: hidden)
        return stored_roofline(Workshop("part3"), names, precision, file)

    return show


def test_what_was_counted_there_has_a_point(show_stored):
    data = show_stored()
    assert [point.name for point in data.points] == THERE
    assert "H200" in data.machine
    assert data.notes[0].startswith(
        "no GPU answers here: these are the figures of data/results, measured on"
    )
    assert data.notes[1].startswith("without a GPU: ./lab bound part3 mine")
    assert data.points[0].intensity == pytest.approx(21 / 28, abs=1e-3)
    assert data.n == 131072
    assert "source" not in data.as_json()["points"][0]


def test_without_ceilings_of_one_it_says_so(show_stored, tmp_path):
    (tmp_path / "ceilings.json").unlink()
    message = "^no GPU answers here, and data/results has no ceilings.json: measure on a machine"
    with pytest.raises(NoInput, match=message):
        show_stored()


def test_a_handout_has_the_ceilings_alone(show_stored, tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    data = show_stored()
    assert (data.points, data.n) == ((), 131072)
    assert "these are the ceilings of a GPU of tests" in data.notes[0]


@pytest.mark.parametrize(
    ("names", "more", "there", "left_out"),
    [
        ((), {"hidden": ["naive"]}, THERE[1:], {"naive": "counts are hidden"}),
        (
            ("tiles", "best", "mine"),
            {},
            ["tiles"],
            {
                "best": "was not counted on that GPU",
                "mine": "your own code is only counted and timed on a GPU",
            },
        ),
        (("tiles",), {"precision": "double"}, [], {"tiles": "not measured there in double"}),
    ],
    ids=["hidden", "names", "precision"],
)
def test_what_is_left_out(show_stored, names, more, there, left_out):
    data = show_stored(*names, **more)
    assert [point.name for point in data.points] == there
    whys = {left.name: left.why for left in data.left_out}
    for name, why in left_out.items():
        assert whys[name].startswith(why)
