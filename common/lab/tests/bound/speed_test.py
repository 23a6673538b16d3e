"""Which speeds stand beside a bound: measured here, or stored for the GPU; and why there may be none."""

from pathlib import Path

import pytest

from nbody_lab.bound import speed as speed_module
from nbody_lab.bound.analysis import Options
from nbody_lab.bound.speed import (
    Gpu,
    add_speeds_of_gpu,
    add_speeds_of_processor,
    find_gpu,
    read_clock,
)
from nbody_lab.core.bound_file import Bound
from nbody_lab.core.messages import UserError
from nbody_lab.core.results import format_ceilings
from tests.bound.bounds_for_tests import make_bound, make_kernel_bound
from tests.bound.lab_for_tests import GPU_NAME, TinyLab, bench_row, write_script
from tests.roofline.roofline_for_tests import ceilings_of_processor

STORED = "data/results/part3_study_ladder.json"
KEPT = pytest.mark.skipif(
    not (speed_module.ROOT / STORED).exists(), reason="this tree keeps no speeds of a GPU"
)
HERE = Gpu(name=GPU_NAME, compute_capability="8.6", multiprocessors=10, clock_hz=1e9)
RUNGS = ("tiles", "mine", "split", "second_barrier")


@pytest.fixture
def lab(tmp_path: Path) -> TinyLab:
    return TinyLab(tmp_path, "part3", RUNGS)


def test_gpu_that_answers(lab: TinyLab) -> None:
    """Its figures come from the devices program, its name from the driver."""
    assert find_gpu(lab) == HERE
    write_script(lab.build / "bin/devices", "#!/bin/sh\necho no memory left >&2\nexit 3\n")
    with pytest.raises(UserError, match=r"does not tell what it has: no memory left \(./lab doc"):
        find_gpu(lab)
    write_script(lab.build / "bin/devices", '#!/bin/sh\necho "{}" > "$2"\n')
    with pytest.raises(UserError, match=r"devices.json: devices is missing"):
        find_gpu(lab)
    lab.answers = ""
    assert find_gpu(lab) is None


def test_measured_on_a_gpu(lab: TinyLab) -> None:
    """A wrong result has no speed, but a reason."""
    lab.set_bench(bench_row("mine"), bench_row("tiles", "wrong", verdict="WRONG"))
    bounds = [make_kernel_bound("mine"), make_kernel_bound("tiles")]
    right, wrong = add_speeds_of_gpu(lab, bounds, Options(), HERE)
    assert right.bound_interactions_per_s == 10 * 128 * 1e9 / 10
    assert right.measured_interactions_per_s == 6e10
    assert right.share_of_bound == 6e10 / 1.28e11
    assert (right.machine, right.why_not_measured) == (GPU_NAME, None)
    assert wrong.measured_interactions_per_s is None
    assert wrong.why_not_measured == "the bench says: WRONG"
    options = f"--threads 1 --rounds 3 --precision float -n 131072 --device {GPU_NAME}"
    assert options in " ".join(lab.bench_argv)


def test_cycles_only(lab: TinyLab) -> None:
    """Code for another GPU has no speeds; without measuring, only the bound has one."""
    (bound,) = add_speeds_of_gpu(lab, [make_kernel_bound("tiles", "sm_80")], Options(), HERE)
    assert bound.bound_interactions_per_s is None
    assert bound.machine == "no speeds: the code is for sm_80, the GPU here is sm_86"
    (bound,) = add_speeds_of_gpu(lab, [make_kernel_bound()], Options(measure=False), HERE)
    assert (bound.bound_interactions_per_s, bound.measured_interactions_per_s) == (1.28e11, None)
    assert bound.why_not_measured is None and not lab.bench_argv


def stored(lab: TinyLab, *names: str, double: bool = False, core: str = "sm_90") -> list[Bound]:
    bounds = [make_kernel_bound(name, core) for name in names]
    return add_speeds_of_gpu(lab, bounds, Options(double=double), None)


@KEPT
def test_stored_speeds(lab: TinyLab) -> None:
    """Without a GPU, a rung has those of the H200 in float; whatever has none has a reason."""
    rung, mine, wrong = stored(lab, "split", "mine", "second_barrier")
    lanes_times_clock = rung.bound_interactions_per_s and rung.bound_interactions_per_s * 10
    assert lanes_times_clock == pytest.approx(16896 * 1.98e9)
    assert rung.measured_interactions_per_s and rung.measured_interactions_per_s > 1e12
    assert rung.machine == f"an NVIDIA H200; speeds from {STORED}, because no GPU answers here"
    assert mine.measured_interactions_per_s is wrong.measured_interactions_per_s is None
    assert mine.why_not_measured == "your own code was never measured on that GPU"
    assert wrong.why_not_measured == "the bench says: wrong, as this exhibit is meant to be"
    (other,) = stored(lab, "split", core="sm_80")
    assert other.bound_interactions_per_s is other.measured_interactions_per_s is None
    assert "data/results was measured on an NVIDIA H200, sm_90" in (other.machine or "")
    (double,) = stored(lab, "split", double=True)
    assert double.why_not_measured == f"{STORED} lacks it in double"


def test_measured_on_the_processor(tmp_path: Path) -> None:
    """On one thread, with the clock of the measurement; a busy machine is noticed."""
    names = ["newton", "race", "lost"]
    lab, bounds = TinyLab(tmp_path, "part2", names), [make_bound(name) for name in names]
    rows = [
        bench_row("newton_avx2", fastest=2e8, busy_machine=True),
        bench_row("newton_avx2", fastest=9e8, threads=2),
        bench_row("race", "wrong", verdict="WRONG"),
    ]
    lab.set_bench(*rows, clock_hz=4e9)
    measured = add_speeds_of_processor(lab, bounds, Options(arch="avx2"))
    assert [one.measured_interactions_per_s for one in measured] == [2e8, None, None]
    whys = [None, "the bench says: WRONG", "the bench says: no result"]
    assert [one.why_not_measured for one in measured] == whys
    assert (measured[0].clock_hz, measured[0].machine) == (4e9, None)
    assert [one.busy_machine for one in measured] == [True, False, False]
    assert lab.bench_argv[-4:-2] == ["--arch", "avx2"]


def test_clock_of_the_ceilings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands in for a measured one, if the ceilings were measured and can be read."""
    lab = TinyLab(tmp_path, "part2", ["newton"])
    monkeypatch.setattr(speed_module, "ROOT", tmp_path)
    assert read_clock() is None
    file = tmp_path / "build/ceilings.json"
    file.parent.mkdir()
    file.write_text(format_ceilings(ceilings_of_processor()))
    (bound,) = add_speeds_of_processor(lab, [make_bound()], Options(measure=False))
    (given,) = add_speeds_of_processor(lab, [make_bound()], Options(measure=False, clock_hz=2e9))
    assert (bound.clock_hz, given.clock_hz, lab.bench_argv) == (3e9, 2e9, [])
    busy = bench_row("newton", "busy", verdict="too busy to measure")
    lab.set_bench(busy, clock_hz=0)  # nothing was measured
    (bound,) = add_speeds_of_processor(lab, [make_bound()], Options())
    wait = "too busy to measure: try again when the machine is quiet"
    assert (bound.clock_hz, bound.why_not_measured) == (3e9, f"the bench says: {wait}")
    file.write_text("{}")
    with pytest.raises(UserError, match=r"was not written by \./lab roofline --measure"):
        read_clock()
