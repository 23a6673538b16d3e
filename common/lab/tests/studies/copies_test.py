"""Are the rows of a profile added up by kind? A made-up program takes the place of one for a GPU."""

import re
from pathlib import Path

import pytest

from nbody_lab.studies import copies
from tests import ended_with

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
# Writes its time to the file after --json and prints its profile; fails above `most` bodies.
PROGRAM = """#!/bin/sh
for word; do
  if [ "$last" = --json ]; then echo '{{"wall_s": 0.5}}' >"$word"; fi
  if [ "$last" = -n ] && [ "$word" -gt {most} ]; then echo 'no memory' >&2; exit 3; fi
  last=$word
done
cat <<'END'
{profile}END
"""


def _study(folder: Path, most: int = 10**9, plot: Path | None = None) -> tuple[int, str, str]:
    program = folder / "bin/part3/naive"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(PROGRAM.format(profile=PROFILE, most=most))
    program.chmod(0o755)
    return ended_with(copies.study, "part3", "naive", folder, "A GPU", plot)


def test_the_table_has_a_row_for_each_size(tmp_path: Path) -> None:
    """Its form is read by ./lab plot copies."""
    status, out, err = _study(tmp_path)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    head = r"part3/naive, adaptive step, % of the wall clock; A GPU; \d{4}-\d\d-\d\d"
    assert re.fullmatch(head, lines[0])
    assert lines[1] == "         N    copies   kernels   allocations    host, launches"
    assert lines[2] == "       256     21.06     42.44          3.00             33.50"
    assert [int(line.split()[0]) for line in lines[2:]] == list(copies.SIZES)


def test_the_table_is_kept_for_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be drawn, it says how to draw it later."""
    monkeypatch.setattr(copies.pictures, "can_draw", lambda: False)
    status, out, _ = _study(tmp_path, plot=tmp_path)
    kept = tmp_path / "copies.txt"
    assert status == 0 and kept.read_text(encoding="utf-8") in out
    assert out.splitlines()[-1].endswith(f"./lab plot copies {kept} {tmp_path}")


def test_a_program_that_stops_is_named(tmp_path: Path) -> None:
    """In one line, with what it said last."""
    assert _study(tmp_path, most=1024) == (2, "", "lab: part3/naive stopped: no memory\n")
