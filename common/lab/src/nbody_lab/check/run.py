"""Runs the check program, and shows each verdict as soon as it is known.

python -m nbody_lab.check.run bin/check part1 mine ...    for tests: nothing is built before
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nbody_lab.check.kept_results import Stamps, stamps_of
from nbody_lab.check.result import CheckResult
from nbody_lab.check.tables import check_text
from nbody_lab.core.console import show
from nbody_lab.core.model import load_if_whole
from nbody_lab.core.run import hearing, status_of

_ERASE_LINE = "\r\x1b[K"  # of a terminal, on which the progress is shown


class _Screen:
    """The text of a result file that grows, as far as it has been printed."""

    def __init__(self, file: Path, verbose: bool) -> None:
        self.result: CheckResult | None = None
        self._file, self._verbose = file, verbose
        self._seen: Stamps = {}
        self._printed = 0

    def show_new(self) -> None:
        now = stamps_of([self._file])
        if now == self._seen:
            return
        self._seen, self.result = now, load_if_whole(CheckResult, self._file)
        texts = list(check_text(self.result, self._verbose)) if self.result else []
        if sys.stdout.isatty() and texts[self._printed :]:
            print(end=_ERASE_LINE)
        show(*texts[self._printed :])
        sys.stdout.flush()
        self._printed = len(texts)


def run_check(
    words: Sequence[object], file: Path, verbose: bool = False
) -> tuple[int, CheckResult | None]:
    """Its status and what it wrote to the file. `words`: the command line of the check program."""
    screen = _Screen(file, verbose)
    sys.stdout.flush()
    argv = [str(word) for word in (*words, "--progress", "--json", file)]
    with (
        subprocess.Popen(argv, stderr=subprocess.PIPE) as process,
        hearing(process, f"checking {argv[1]}"),
    ):
        status = status_of(process, screen.show_new)
    screen.show_new()
    return status, screen.result


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        words = [word for word in sys.argv[1:] if word != "-v"]
        sys.exit(run_check(words, Path(folder) / "check.json", "-v" in sys.argv)[0])
