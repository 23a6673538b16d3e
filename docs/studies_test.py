"""The programs that compare compilers and integrators, and that profile copies: what they run, and what they make of it."""

import json
import shutil
import sys

import pytest

import compare_compilers
import compare_integrators
import profile_copies
import profile_rungs
from compare_integrators import ALL, RESULT, Experiment, options_of
from nbody_lab.building.manifest import Implementation, Manifest, Program, manifest_text
from tests import said_by

PROFILE = """  what                       calls  ms in all    share  us each
  accelerations                  8      1.000  30.10 %   125.00
  step kernel                    8      1.000  12.34 %   125.00
  copy to the GPU                8      1.000  20.56 %   125.00
  copy back                      8      1.000   0.50 %   125.00
  cudaMalloc                     8      1.000   3.00 %   125.00
  the rest: host code, launches          1.000  33.50 %
  wall clock                            8.000 100.00 %
  kernels and copies are timed by GPU events around each
"""


def test_shares_of_a_profile():
    assert profile_copies.shares_of(PROFILE) == pytest.approx([21.06, 42.44, 3, 33.5])


def test_the_table_of_copies_is_that_of_the_result():
    text = profile_copies.RESULT.read_text(encoding="utf-8")
    head, _, *lines = text.splitlines()
    rows = [line.split() for line in lines]
    assert [int(row[0]) for row in rows] == list(profile_copies.SIZES)
    device = head.partition("clock; ")[2].rpartition("; ")[0]
    written = profile_copies.text_of(device, [(row[0], map(float, row[1:])) for row in rows])
    assert written.splitlines()[1:] == text.splitlines()[1:]


def report_of_ncu(*kernels):
    """As `ncu --csv --page raw` prints it: names, units, a line for each kernel."""
    metrics = [
        *profile_rungs.METRICS.values(),
        *map(profile_rungs.STALL.format, profile_rungs.REASONS),
    ]
    head = ",".join(f'"{name}"' for name in ["ID", "Kernel Name", *metrics])
    lines = [head, ",".join('""' for _ in metrics) + ',"",""']
    for name, seconds, stalls in kernels:
        values = {"gpu__time_duration.sum": seconds, "smsp__inst_executed.sum": "8,589,934,592"}
        values |= {profile_rungs.STALL.format(reason): stall for reason, stall in stalls.items()}
        lines.append(
            ",".join(f'"{cell}"' for cell in ["0", name, *(values.get(m, "1") for m in metrics)])
        )
    return "==PROF== profiling\n" + "\n".join(lines)


def test_the_longest_kernel_and_its_longest_wait_count():
    report = report_of_ncu(
        ("prepare(int)", "9", {}),
        ("void accelerations<2>(int)", "1,000,000", {"not_selected": "9", "barrier": "2.5"}),
    )
    row = profile_rungs.row_of("tiles", report)
    assert (row["kernel"], row["seconds"], row["most"]) == ("accelerations<2>", 1e-3, "barrier 2.5")
    assert row["per_interaction"] == 16


def test_the_profile_has_every_rung():
    rows = json.loads(profile_rungs.RESULT.read_text(encoding="utf-8"))["summary"]
    assert [row["name"] for row in rows] == profile_rungs.RUNGS.split()


@pytest.mark.parametrize(
    ("scheme", "adaptive", "options"),
    [
        ("kdk", False, "--integrator kdk --dt 0.025 -i 400 --every 1"),
        ("rk4", False, "--integrator rk4 --dt 0.1 -i 100 --every 1"),
        ("rk4", True, "--integrator rk4 --vdt -i 400 --every 1"),
    ],
)
def test_all_schemes_get_as_many_evaluations(scheme, adaptive, options):
    """With an adaptive step as many steps, and the cost follows."""
    two = Experiment("two bodies", "--scene two-body", 10, (400,), adaptive=adaptive)
    assert options_of(two, scheme, 400) == f"--scene two-body {options}"


def test_the_result_has_every_integrator():
    rows = json.loads(RESULT.read_text(encoding="utf-8"))["rows"]
    assert {row["scheme"] for row in rows} == {*ALL, "kdk-symmetric"}


def test_rows_of_a_build_have_compiler_and_flags_in_their_names(tmp_path):
    """They name the kept programs, are not counted, and may say any class."""
    folder = tmp_path / "g++_O2"
    folder.mkdir()
    programs = (Program(precision="float", program="bin/part1/x"),)
    kinds = {"naive": "naive", "third": "solution", "best": "solution", "mine": "mine"}
    rows = [
        Implementation(
            **{"part": "part1", "name": name, "kind": kind, "class": "Naive"},
            program=f"bin/part1/{name}",
            programs=programs,
        )
        for name, kind in kinds.items()
    ]
    (folder / "manifest.json").write_text(manifest_text(rows))
    manifest = Manifest(folder / "manifest.json")
    assert compare_compilers.names_to_study(manifest, "part1") == ["naive", "mine", "best"]
    (row,) = compare_compilers.rows_of(folder, "part1", ["naive"], "g++", "-O2 -march=native")
    assert (row.name, row.flags) == ("naive g++_O2", ("g++", "-O2", "-march=native"))
    found = (row.program, row.programs[0].program)
    assert found == ("g++_O2/bin/part1/naive", "g++_O2/bin/part1/x")
    assert (row.count, row.model_dump(by_alias=True)["class"]) == (None, "")


@pytest.mark.weekly
@pytest.mark.timeout(1500)
def test_every_compiler_and_every_set_of_flags():
    """Every combination is built and measured, and all results are right."""
    words = [compare_compilers.__file__, "part1", "--quick", "-n", "200"]
    status, out, err = said_by([sys.executable, *words])
    assert status == 0, err + out
    builds = len(list(filter(shutil.which, compare_compilers.COMPILERS)))
    builds *= len(compare_compilers.FLAG_SETS)
    rows = json.loads((compare_compilers.STUDIED / "part1.json").read_text())["summary"]
    assert len(rows) == 3 * builds, out
    # The student's own file may be wrong.
    assert {row["verdict"] for row in rows if not row["name"].startswith("mine ")} == {"right"}


def test_energies_are_measured_with_naive_in_both_precisions(tmp_path, monkeypatch):
    programs = [
        {"precision": precision, "program": f"bin/part1/{program}"}
        for precision, program in (("float", "naive"), ("double", "naive_double"))
    ]
    row = {"part": "part1", "name": "naive", "kind": "naive", "programs": programs}
    folder = tmp_path / "build/release"
    folder.mkdir(parents=True)
    content = {"version": 2, "parts": [{"name": "part1"}], "implementations": [row]}
    (folder / "manifest.json").write_text(json.dumps(content))
    monkeypatch.setattr(compare_integrators, "ROOT", tmp_path)
    monkeypatch.setattr(
        compare_integrators, "measure", lambda used: [sorted(map(str, used.values()))]
    )
    file = tmp_path / "energy.json"
    assert compare_integrators.main([str(file)]) == 0
    wanted = [str(folder / one) for one in ("bin/part1/naive", "bin/part1/naive_double")]
    assert json.loads(file.read_text())["rows"] == [wanted]
