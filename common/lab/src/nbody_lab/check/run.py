"""Runs bin/check, the program that judges, and reads what it found.

python -m nbody_lab.check.run bin/check part1 mine ...    for tests: nothing is built before
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nbody_lab.check.result import CheckResult
from nbody_lab.check.tables import check_text
from nbody_lab.core.console import show
from nbody_lab.core.errors import ended
from nbody_lab.core.model import load
from nbody_lab.core.run import SHORT_SPINS, hearing, status_of


def run(words: Sequence[object]) -> tuple[int, CheckResult, bytes]:
    """Its status, its result and the file that holds it; shows its progress. `words`: its command line. Ends the command if it refuses them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "check.json"
        argv = [str(word) for word in (*words, "--progress", "--json", file)]
        environment = {**SHORT_SPINS, **os.environ}
        with (
            subprocess.Popen(argv, stderr=subprocess.PIPE, env=environment) as process,
            hearing(process, f"checking {argv[1]}"),
        ):
            status = status_of(process)
        if not file.exists():
            raise SystemExit(status or 2)
        return status, load(CheckResult, file), file.read_bytes()


def main(words: Sequence[str]) -> int:
    status, result, _ = run([word for word in words if word != "-v"])
    show(*check_text(result, "-v" in words))
    return status


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
