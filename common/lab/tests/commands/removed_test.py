"""Does a command that takes all of a part forget a version whose header is gone, before it builds?"""

import json
import os

import pytest

from nbody_lab.building import lab as lab_module
from nbody_lab.commands import bound, roofline
from nbody_lab.core.whole_file import write_text
from nbody_lab.limits.llvm_mca import Model
from tests.limits.roofline_for_tests import ceilings_of_processor


def manifest_of(*names):
    rows = [
        {"part": "part1", "name": name, "kind": "mine", "class": "A", "program": f"bin/{name}"}
        | {"programs": [{"precision": "float", "program": f"bin/{name}"}]}
        for name in names
    ]
    return json.dumps({"version": 2, "parts": [], "implementations": rows})


@pytest.mark.parametrize("line", ["demo", "roofline part1", "bound part1 --all"])
def test_a_removed_header_is_no_target(line, tmp_path, monkeypatch, run_lab):
    """Ninja has a rule that writes the manifest anew, as CMake's does when a folder has changed."""
    build_dir, built = tmp_path / "build/release", []
    write_text(tmp_path / "part1_x/CMakeLists.txt", "")
    write_text(build_dir / "manifest.json", manifest_of("naive", "mine_gone"))
    (build_dir / "later").write_text(manifest_of("naive"))
    (build_dir / "build.ninja").write_text(
        "rule a\n command = cp later manifest.json && touch build.ninja\n generator = 1\n"
        "build build.ninja: a later\n"
    )
    os.utime(build_dir / "build.ninja", (1, 1))

    def build(_, __, *targets):
        built.extend(targets)
        raise KeyboardInterrupt

    monkeypatch.setenv("LAB_IS_SET_UP", "1")
    monkeypatch.setattr(lab_module, "ROOT", tmp_path)
    for name in ("lock", "configure"):
        monkeypatch.setattr(lab_module.Lab, name, lambda _: None)
    monkeypatch.setattr(lab_module.Lab, "try_to_build", build)
    monkeypatch.setattr(bound, "demand_model", lambda: Model("14", ["skylake"]))
    monkeypatch.setattr(roofline, "known_ceilings", lambda _: ceilings_of_processor())
    ended = run_lab(*line.split())
    assert (ended.status, "bin/naive" in built) == (130, True), ended
    assert "bin/mine_gone" not in built
