"""GPUs of ./lab machine: what bin/devices says, judged and shown. bin/devices is played by a script."""

import json
import math
import sys

import pytest

from nbody_lab.building.gpus import Gpu
from nbody_lab.building.lab import Lab
from nbody_lab.measure.gpu_ceilings import ceiling_of, judge, measure_gpu

_KNOWN = {
    "name": "NVIDIA H200",
    "compute_capability": "9.0",
    "multiprocessors": 132,
    "clock_hz": 1.98e9,
}
_KNOWN |= {"l2_bytes": 60 << 20, "threads_per_multiprocessor": 2048, "threads_per_block": 1024}
_OTHERS = {name: "?" if field.annotation is str else 1 for name, field in Gpu.model_fields.items()}
H200 = Gpu.model_validate(_OTHERS | _KNOWN)
_BANDWIDTH = {"kind": "bandwidth", "operation": "load", "precision": "", "unit": "byte/s"}
_FMA = {"kind": "flops", "operation": "fma", "precision": "float", "unit": "flop/s", "level": ""}
_BEST = {"shared": 33e12, "L2": 7e12, "device memory": 4.2e12}
_BEST |= {f"{way}, pinned": 55e9 for way in ("host to device", "device to host")}


def good_rows(array_bytes=1 << 30, spread=0.01, **changed):
    """`changed`: {level: its best}, with _ for a blank."""
    rows = []
    best_of = _BEST | {key.replace("_", " "): best for key, best in changed.items()}
    for level, best in best_of.items():
        row = _BANDWIDTH | {"level": level, "name": level, "array_bytes": array_bytes}
        rows.append(ceiling_of(row, [best], "Abacus").model_copy(update={"spread": spread}))
    return rows


SPREAD = "it spread over more than 10 % while it was measured"


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({"spread": math.nan}, dict.fromkeys(_BEST, SPREAD)),
        ({"shared": 6e12}, {"shared": "L2, farther away, was faster"}),
        ({"device_memory": 40e9}, {"device memory": "host to device, pinned, farther away"}),
        ({"array_bytes": 4 * H200.l2_bytes - 1}, {"device memory": "the free memory has no room"}),
    ],
)
def test_what_is_a_ceiling(changed, refused):
    rows = judge(good_rows(**changed), H200)
    assert {row.level for row in rows if not row.is_ceiling} == {*refused}
    assert all(refused[row.level] in row.why_not for row in rows if not row.is_ceiling)


def test_measuring(tmp_path, monkeypatch):
    """Without a GPU nothing is run. With one, the lines of bin/devices become rows."""
    lab = Lab()
    lab.build_dir = tmp_path
    monkeypatch.setattr(lab, "gpu", lambda: "")
    assert measure_gpu(lab) == []
    monkeypatch.setattr(lab, "gpu", lambda: "Abacus")
    row = _FMA | {"name": "FP32 FMA", "array_bytes": 0, "rates": [90, 100, 110, 101, 99]}
    program = tmp_path / "bin/devices"
    program.parent.mkdir()
    lines = f"{H200.model_dump_json()}\n{json.dumps(row)}\n"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        f"assert json.load(sys.stdin)['repeats'] == 15\nprint({lines!r}, end='')\n"
    )
    program.chmod(0o755)
    (found,) = measure_gpu(lab)
    assert (found.best, found.median, found.spread) == (110, 100, 0.02)
    assert (found.where, found.device, found.is_ceiling) == ("gpu 0", "NVIDIA H200", True)
