"""Quick measurements for a first look: runs bench on a few programs as a progress step."""

import tempfile
from pathlib import Path

from nbody_lab.core.messages import Failure
from nbody_lab.worksheet.roofline_inputs import read_json


def bench_result(lab, names, *options):
    """The content of bench's --json. Wrong results do not stop it: their row says so. Raises Failure, NoInput."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.json"
        went_well = lab.works(
            f"measuring {len(names)} program{'s' if len(names) > 1 else ''} of {lab.part}",
            lab.build / "bin/bench",
            lab.part,
            *names,
            "--manifest",
            lab.manifest,
            *options,
            "--json",
            file,
        )
        if not went_well and not file.exists():
            lab.explain_failure()
            raise Failure(1)
        return read_json(file)


def timed_beside_others(result):
    """The names that bench timed on a busy machine, by its own rule (common/bench/result.hpp)."""
    return sorted({row["name"] for row in result["summary"] if row.get("busy_machine")})


BUSY = "the machine was busy, so {names} may be faster: measure again when it is quiet"


def busy_words(names):
    return BUSY.format(names=", ".join(names)) if names else ""
