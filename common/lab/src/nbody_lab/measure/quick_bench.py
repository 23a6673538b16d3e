"""Quick measurements for a first look: runs bench on a few programs as a progress step."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nbody_lab.core.model import load
from nbody_lab.core.turns import turn
from nbody_lab.measure.bench_file import BenchResult

if TYPE_CHECKING:
    from nbody_lab.building.lab import Lab


def bench_result(lab: "Lab", names: Sequence[str], *options: object) -> BenchResult:
    """What bench measures. Wrong results do not stop it: their row says so. Raises BuildFailed."""
    label = f"measuring {len(names)} program{'s' if len(names) > 1 else ''} of {lab.part}"
    words = [
        lab.build_dir / "bin/bench",
        lab.part,
        *names,
        "--progress",
        "--manifest",
        lab.manifest,
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.json"
        with turn(lab.part):
            measured = lab.works(label, *words, *options, "--json", file)
        if not measured and not file.exists():
            raise lab.failure()
        return load(BenchResult, file)


def busy_words(names: Sequence[str]) -> str:
    """A sentence about what was timed on a busy machine; empty without names."""
    if not names:
        return ""
    return (
        f"the machine was busy, so {', '.join(names)} may be faster: measure again when it is quiet"
    )
