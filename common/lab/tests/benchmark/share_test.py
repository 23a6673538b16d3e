"""What ./lab share writes: what it takes from which file, what it leaves out, and that it names nobody."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.benchmark import share
from nbody_lab.benchmark.machines import AXIS, FIGURES, chart_line, machine_card
from nbody_lab.commands import share as command
from nbody_lab.core.machine_file import Machine, read_machine
from nbody_lab.core.messages import UserError
from nbody_lab.core.results import format_ceilings
from tests.bound.bounds_for_tests import make_bound
from tests.roofline.roofline_for_tests import (
    NEWTON,
    ceilings_like_h200,
    ceilings_of_processor,
    doubt,
    roofline,
    with_rows,
)

CPU, COMPILER = "A processor of tests", "some++"
DISTURBED = format_ceilings(doubt(roofline(), lambda row: True).ceilings)
SYSTEM = "Some GNU/Linux new/er!_12, Linux 6.1.0-alices-laptop"


def bench(rows: str, part: str = "part2", **context: Any) -> dict[str, Any]:
    """'slow@threads=2=1.5': a name, what differs, and 10^9 interactions/s."""
    summary = []
    for text in rows.split():
        (name, *more), rate = text.rpartition("=")[0].split("@"), 1e9 * float(text.split("=")[-1])
        changes = {key: json.loads(value) for key, _, value in (one.partition("=") for one in more)}
        width = changes.pop("spread", 0.02) * rate / 2
        rates = {"median": rate, "lower_quartile": rate - width, "upper_quartile": rate + width}
        summary.append({"name": name, "n": 5000, "interactions_per_s": rates, **changes})
    known = {"part": part, "cpu": CPU, "compiler": COMPILER, "day": "2026-01-02"}
    return {"context": {**known, **context}, "summary": summary}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A lab whose commands left these files in build/; each is JSON, or the text of one."""
    monkeypatch.setattr(share, "ROOT", tmp_path)
    monkeypatch.setattr(command, "FOLDER", tmp_path / "build/share")
    (tmp_path / "CMakeLists.txt").write_text("project(nbody_lab VERSION 1.2.3 LANGUAGES CXX)\n")

    def write(**files: Any) -> Path:
        facts = ceilings_of_processor().machine.model_copy(update={"system": SYSTEM})
        known = ceilings_of_processor().model_copy(update={"machine": facts})
        for name, content in {"ceilings": format_ceilings(known), **files}.items():
            file = tmp_path / "build" / f"{name}.json".replace("__", "/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content if isinstance(content, str) else json.dumps(content))
        return tmp_path

    return write


def found(machine: Machine) -> dict[str, float]:
    return {f"{one.name}@{one.threads}": one.interactions_per_s / 1e9 for one in machine.speeds}


@pytest.mark.parametrize(
    ("files", "speeds"),
    [
        (
            {"pictures__a__result": bench("naive=1 quick=3 mine=9 mine_too=9")},
            "naive@1=1 quick@1=3",
        ),
        ({"share__results__part2": bench("quick@threads=2=3")}, "quick@2=3"),
        (
            {
                "pictures__a__result": bench("quick@n=8000=3 other@n=8000=4"),
                "pictures__b__result": bench("quick=5", day="2025-01-01"),
            },
            "other@1=4 quick@1=5",
        ),
        (
            {
                "pictures__a__result": bench("quick=3"),
                "pictures__b__result": bench("quick=5", day="2026-01-03"),
            },
            "quick@1=5",
        ),
        (
            {
                "pictures__a__result": bench(
                    'quick=3 a@precision="double"=9 b@outcome="wrong"=9 c@busy_machine=true=9 '
                    "d@spread=0.4=9 e@block=64=9 f@ranks=2=9 h@grid=2=9 languages/g=9 Capital=9"
                )
            },
            "quick@1=3",
        ),
        (
            {
                "pictures__a__result": bench("quick=3"),
                "pictures__b__result": bench("x=9", cpu="Another"),
                "pictures__c__result": bench("x=9", compiler="other++"),
                "pictures__d__result": bench("x=9", adaptive=True),
                "pictures__e__result": {"what": "energy study"},
            },
            "quick@1=3",
        ),
        (
            {"pictures__a__result": bench("part1/naive=1 naive@n=131072=500", "part3")},
            "naive@1=1 naive@0=500",
        ),
    ],
)
def test_speeds(tree: Callable[..., Path], files: dict[str, Any], speeds: str) -> None:
    """Those of the lab's own versions on this machine: the usual number of bodies, then the newest."""
    tree(**files)
    wanted = {name: float(rate) for name, _, rate in (one.partition("=") for one in speeds.split())}
    assert found(share.gather()) == pytest.approx(wanted)


def test_another_cache_is_another_machine(tree: Callable[..., Path]) -> None:
    """Virtual machines of different hosts bear the same name."""
    facts = ceilings_of_processor().machine.model_copy(update={"l3_bytes": 32 << 20})
    known = ceilings_of_processor().model_copy(update={"machine": facts})
    caches = {size: [{"level": 3, "size": size << 20}] for size in (32, 64)}
    tree(
        ceilings=format_ceilings(known),
        pictures__a__result=bench("quick=3", caches=caches[32]),
        pictures__b__result=bench("other=3", caches=caches[64]),
    )
    assert found(share.gather()) == pytest.approx({"quick@1": 3})


def test_shares_stand_beside_the_speed_on_one_thread(tree: Callable[..., Path]) -> None:
    bound = make_bound("quick").model_copy(update={"share_of_bound": 0.9})
    rows = (("quick", "rung", NEWTON, "avx512f", 4e9), ("hers", "mine", NEWTON, "avx512f", 5e9))
    drawn = roofline(rows, part="part2", date="2026-01-01")
    tree(
        pictures__a__result=bench("quick=3 quick@threads=2=6"),
        bound__part2_quick=bound.to_json(),
        roofline__part2=drawn.as_json(),
    )
    one, two = share.gather().speeds
    assert (one.share_of_bound, two.share_of_bound, two.share_of_roof) == (0.9, None, None)
    assert one.share_of_roof == pytest.approx(drawn.points[0].share_of_roof)
    assert one.interactions_per_s == pytest.approx(3e9)  # bench's, which is newer


def test_ceilings_are_those_of_the_widest_vectors_and_of_the_gpu(tree: Callable[..., Path]) -> None:
    both = (*ceilings_of_processor().ceilings, *ceilings_like_h200().ceilings)
    known = with_rows(roofline(), both).ceilings
    chosen = share.choose_ceilings(known)
    assert {row.instruction_set for row in chosen if row.where == "cpu"} == {"avx512f"}
    assert {row.operation for row in chosen if row.where == "gpu 0"} == {
        "fma",
        "sqrt",
        "rsqrt",
        "load",
    }
    assert not any(row.precision == "double" for row in chosen)


def test_it_shows_what_it_writes(
    tree: Callable[..., Path], run_lab: Callable[..., Any], snapshot: Any, nothing_is_built: None
) -> None:
    """The kernel's release, which may bear a name, is cut; the main memory is that of the machine."""
    root = tree(pictures__a__result=bench("part1/naive=0.2 quick=3 quick@threads=2=5.5"))
    ended = run_lab("share")
    file = root / "build/share/a_of_tests_2_cores.json"
    assert (ended.status, ended.error) == (0, "")
    lines = ended.output.replace(f"{root}/", "").splitlines()
    assert [line for line in lines if "memory  " not in line] == snapshot
    assert "alice" in SYSTEM and "alice" not in file.read_text() + ended.output
    assert read_machine(file) == share.gather()
    beside = run_lab("share", "--compare", file)
    assert beside.output.replace(AXIS, "AXIS") == snapshot(name="beside itself")


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {"ceilings": "{"},
            "this machine's ceilings are not measured; ./lab share --measure measures",
        ),
        ({"ceilings": DISTURBED}, "something else ran while this machine's ceilings were measured"),
        ({}, "no speed of the lab's own versions is kept here; ./lab share --measure measures"),
        ({"pictures__a__result": bench("mine=9")}, "no speed of the lab's own versions is kept"),
    ],
)
def test_nothing_measured_is_one_line(
    tree: Callable[..., Path], refusal_of: Callable[..., str], files: Any, complaint: str
) -> None:
    root = tree(**files)
    assert refusal_of("share").startswith(f"nothing to share yet: {complaint}")
    assert not (root / "build/share").exists()


def test_a_named_file_must_fit(tree: Callable[..., Path], refusal_of: Callable[..., str]) -> None:
    root = tree(a=bench("x=9", cpu="Another"), b={"what": "else"})
    ceilings = ["--from", root / "build/ceilings.json"]
    for name, complaint in (("a", ": not of the machine"), ("b", ": not a result of ./lab bench")):
        file = root / f"build/{name}.json"
        assert refusal_of("share", *ceilings, "--from", file).startswith(f"{file}{complaint}")


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (("gpu",), "of /home/alice", "gpu: 'of /home/alice' may name more than a machine"),
        (("machine", "system"), "Linux at 10.0.0.7", "machine.system: 'Linux at 10.0.0.7' may"),
        (("machine", "cpu"), "alice@here", "machine.cpu: 'alice@here' may name more"),
        (("speeds", 0, "name"), "mine_too", "speeds[0].name is 'mine_too': one's own versions are"),
        (("speeds", 0, "name"), "a/b", "speeds[0].name String should match pattern"),
        (("host",), "alices", "host is not known here"),
        (("speeds",), [], "speeds Tuple should have at least 1 item"),
        (("version",), 2, "version should be 1"),
    ],
)
def test_a_file_that_does_not_fit_is_one_line(
    tree: Callable[..., Path], tmp_path: Path, place: tuple[Any, ...], value: Any, complaint: str
) -> None:
    tree(pictures__a__result=bench("quick=3"))
    data = json.loads(share.gather().to_json())
    inner = data
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    file = tmp_path / "x.json"
    file.write_text(json.dumps(data))
    with pytest.raises(UserError) as refused:
        read_machine(file)
    assert str(refused.value).startswith(f"{file}: {complaint}")


@pytest.mark.parametrize(
    "cpu", ["Intel(R) Xeon(R) CPU E5-2650 v4 @ 2.20GHz", "QEMU Virtual CPU @1600MHz"]
)
def test_a_clock_in_a_name_names_nobody(
    tree: Callable[..., Path], tmp_path: Path, cpu: str
) -> None:
    tree(pictures__a__result=bench("quick=3"))
    data = json.loads(share.gather().to_json())
    data["machine"]["cpu"] = cpu
    (tmp_path / "x.json").write_text(json.dumps(data))
    assert read_machine(tmp_path / "x.json").machine.cpu == cpu


def test_a_peak_of_one_core_is_not_that_of_all(tree: Callable[..., Path]) -> None:
    """Where something else ran, the figures of some teams are no ceilings."""
    few = doubt(roofline(), lambda row: row.threads > 1).ceilings
    tree(ceilings=format_ceilings(few), pictures__a__result=bench("quick=3"))
    machine = share.gather()
    assert FIGURES["flops_all"](machine) == "" and len(machine.ceilings) == 8
    assert "missing: peak or memory on all cores: ./lab roofline" in str(machine_card(machine))


def test_chart(tree: Callable[..., Path]) -> None:
    """Each decade of 10^9 interactions/s has eight places; what is off the axis stands at its end."""
    tree(pictures__a__result=bench("part1/naive=0.1 part1/some=1 quick=1000 part3/most@n=9=1e9"))
    line = chart_line(share.gather())
    places = {mark: place for place, mark in enumerate(line) if mark != "."}
    assert places == {"n": 0, "1": 8, "2": 32, "3": 40}
    assert (AXIS[8], AXIS[32:36]) == ("1", "1000")


def test_only_what_is_missing_is_measured(
    tree: Callable[..., Path], run_lab: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one thread and on all; and what bench then writes is found."""
    root = tree(
        pictures__a__result=bench("part1/quick=3 part1/quick@threads=2=3 quick@threads=2=3")
    )
    asked: list[list[str]] = []

    def run(argv: list[object], become: bool) -> int:
        asked.append([str(word) for word in argv[1:]])
        Path(str(argv[-1])).write_text(json.dumps(bench("quicker=4")))
        return 1  # some exhibit is wrong, as it says

    monkeypatch.setattr(command, "run_program", run)
    monkeypatch.setattr(command, "known_ceilings", lambda lab: ceilings_of_processor())
    for name, does in (("begin", None), ("unlock", None), ("gpu", "")):
        monkeypatch.setattr(command.Workshop, name, lambda lab, does=does: does)
    ended = run_lab("share", "--measure")
    results = str(root / "build/share/results/part2.json")
    assert asked == [["bench", "part2", "--threads", "1,2", "--json", results]]
    assert (ended.status, ended.error) == (0, "")
    assert "part1/quick " in ended.output and "part2/quicker " in ended.output


def test_figures_of_a_gpu_that_is_not_here_are_not_this_machines() -> None:
    """./lab roofline part3 keeps such, from data/results, where no GPU answers."""
    stored = roofline().model_copy(update={"ceilings": ceilings_like_h200()})
    here = ceilings_like_h200()
    assert share._is_of(here, stored)
    no_gpu = here.model_copy(
        update={"ceilings": tuple(row for row in here.ceilings if row.where == "cpu")}
    )
    assert not share._is_of(no_gpu, stored)


def test_nobody_to_compare_with(
    tree: Callable[..., Path], run_lab: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a handout, which has no other machines. And it does not say where to send one's own."""
    root = tree(pictures__a__result=bench("quick=3"))
    monkeypatch.setattr(command, "MACHINES", root / "none")
    ended = run_lab("share", "--compare")
    assert (ended.status, ended.output) == (2, "")
    assert ended.error.endswith("none is empty; name files to compare with\n")
    assert "pull request" not in run_lab("share").output
