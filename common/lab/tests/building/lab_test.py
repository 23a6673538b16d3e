"""The lab's view of the manifest, when it reads it, and what it asks for before it builds."""

import json

import pytest

from nbody_lab.building import lab as lab_module
from nbody_lab.building.lab import show_built
from nbody_lab.commands import bound, roofline
from nbody_lab.core.errors import LabError
from nbody_lab.core.whole_file import write_text
from tests.limits.roofline_for_tests import ceilings_of_processor


def manifest_of(*names, source=""):
    about = {"part": "part1", "kind": "mine", "source": source}
    rows = [
        {**about, "name": name, "program": name}
        | {"programs": [{"precision": "float", "program": name}]}
        for name in names
    ]
    return json.dumps({"version": 2, "parts": [], "implementations": rows})


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A lab in an empty tree."""
    monkeypatch.setattr(lab_module, "ROOT", tmp_path)
    lab = lab_module.Lab("part1")
    lab.manifest = tmp_path / "manifest.json"
    return lab


def test_the_manifest_is_read_anew_after_each_step(lab):
    """Before there is one, nothing is known."""
    assert lab.names() == []
    for names in (["mine"], ["mine", "mine_fused"]):
        lab.manifest.write_text(manifest_of(*names))
        lab.works("nothing", "true")
        assert lab.names() == names


def test_a_file_that_is_gone_is_no_implementation(lab, monkeypatch):
    """Although the manifest lists it until CMake has looked again."""
    lab.manifest.write_text(manifest_of("mine", source="part1_x/mine.hpp"))
    anew = f"echo '{manifest_of('naive')}' > {lab.manifest}"
    monkeypatch.setattr(lab, "step", lambda *_: lab.works("looking", "bash", "-c", anew))
    with pytest.raises(LabError) as error:
        lab.demand_name("mine")
    expected = "part1 has no implementation 'mine'; is its file mine.hpp there?"
    assert str(error.value) == expected


def test_a_file_that_was_left_out_is_named_each_time(lab, tmp_path, monkeypatch):
    """Other notices come once."""
    lab.build_dir = tmp_path
    lab.manifest.write_text(manifest_of("naive"))
    about = "part1_x/mine_double.hpp is left out: rename it"
    (tmp_path / "notices.txt").write_text(f"{about}\npart2_x/mine_double.hpp is left out\n")
    monkeypatch.setattr(lab, "step", lambda *_: None)
    for count in (2, 1):
        with pytest.raises(LabError, match=about) as error:
            lab.demand_name("mine_double")
        assert str(error.value).count("is left out") == count


@pytest.mark.parametrize("status", [0, 1])
def test_a_build_returns_what_it_has_to_say(lab, tmp_path, monkeypatch, capfd, status):
    """And prints nothing of it: a command shows it. Notices of CMake come once."""
    warning = f"{tmp_path}/part1_x/mine.hpp:1:5: warning: odd [-Wodd]"
    failed = "FAILED: part1_x/CMakeFiles/part1_mine.dir/mine.cpp.o\nc++\nerror: no\n"
    write_text(tmp_path / "part1_x/mine.hpp", "real odd;\n")
    lab.log, lab.build_dir = tmp_path / "log", tmp_path
    lab.log.write_text(f"{warning}\n{failed if status else ''}")
    (tmp_path / "notices.txt").write_text("std::simd is missing\n")
    monkeypatch.setattr(lab, "works", lambda *_: not status)
    said = "part1_x/mine.hpp:1: warning: odd\n    real odd;\n"
    built = lab.try_to_build("part1", "part1")
    text = "\n".join([*built.lines, ""])
    assert text.startswith(f"{said}lab: std::simd is missing\n")
    assert built.whole == (status == 0) == (text.count("lab: ") == 1)
    again = "\n".join([*lab.try_to_build("part1", "part1").lines, ""])
    assert again == text.replace("lab: std::simd is missing\n", "")
    assert capfd.readouterr() == ("", "")
    assert show_built(built) == built.whole and capfd.readouterr() == ("", text)


@pytest.mark.parametrize("line", ["demo", "roofline part1", "bound part1 --all"])
def test_what_takes_a_whole_part_looks_again(line, tmp_path, monkeypatch, run_lab):
    """A removed version is no target, although the manifest lists it before."""
    write_text(tmp_path / "part1_x/CMakeLists.txt", "")
    write_text(tmp_path / "build/release/manifest.json", manifest_of("naive", "mine_gone"))
    built = []

    def step(lab, _, *command):
        assert command[0] == "ninja" and command[-1] == "build.ninja"
        lab.works("looking", "bash", "-c", f"echo '{manifest_of('naive')}' > {lab.manifest}")

    def build(_, __, *targets):
        built.extend(targets)
        raise KeyboardInterrupt

    monkeypatch.setenv("LAB_IS_SET_UP", "1")
    monkeypatch.setattr(lab_module, "ROOT", tmp_path)
    monkeypatch.setattr(lab_module.Lab, "configure", lambda _: None)
    monkeypatch.setattr(lab_module.Lab, "step", step)
    monkeypatch.setattr(lab_module.Lab, "try_to_build", build)
    monkeypatch.setattr(bound, "demand_model", lambda: None)
    monkeypatch.setattr(roofline, "known_ceilings", lambda _: ceilings_of_processor())
    assert run_lab(*line.split()).status == 130
    assert "naive" in built and "mine_gone" not in built


def test_what_part_3_needs_is_missed_before_anything_is_built(lab, tmp_path, monkeypatch):
    (tmp_path / "part3_x").mkdir()
    (tmp_path / "part3_x/naive.cuh").touch()
    lab.part = "part3"
    monkeypatch.setattr(lab, "works", lambda *_: pytest.fail("builds"))
    monkeypatch.setattr(lab, "on_gpu", lambda: True)
    monkeypatch.setattr(lab_module, "gpu_answers", lambda: False)
    with pytest.raises(LabError, match="no NVIDIA GPU answers here"):
        lab.demand_gpu()
    with pytest.raises(LabError, match="no NVIDIA GPU answers here, so part3 cannot run; "):
        lab.refuse_without_gpu()


def test_what_cannot_run_on_the_cpu_is_refused(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "step", lambda *_: None)
    lab.part = "part3"
    with pytest.raises(LabError, match="--on-cpu is for CUDA kernels: part3 has none"):
        lab.begin_on_cpu(["mine"])
    (tmp_path / "part3_x").mkdir()
    (tmp_path / "part3_x/naive.cuh").touch()
    lab.build_dir = tmp_path
    with pytest.raises(LabError, match="kernels cannot run on the CPU here"):
        lab.begin_on_cpu(["mine"])
    known = json.loads(manifest_of("mine").replace("part1", "part3"))
    known["gpu_only"] = [{"part": "part3", "name": "mine_graph", "why": "CUDA graphs"}]
    (tmp_path / "manifest_on_cpu.json").write_text(json.dumps(known))
    lab.begin_on_cpu(["mine"])
    with pytest.raises(LabError, match="part3/mine_graph uses CUDA graphs, which only a GPU has"):
        lab.begin_on_cpu(["mine_graph"])
