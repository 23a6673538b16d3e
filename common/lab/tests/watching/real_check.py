"""For tests: what a watch starts in place of ./lab, with the real compiler and the real checker, in a folder of its own.

real_check.py FOLDER check part1 mine --json FILE
"""

import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]


def check(folder: Path, file: str) -> int:
    from tests.cases.real_programs_test import CHECKER, build, fill

    manifest = folder / "manifest.json"
    if not manifest.exists():
        fill(folder, ["mine"])
    try:
        build(folder / "mine.hpp", folder / "bin/part1/mine", "bin/part1/mine")
    except subprocess.CalledProcessError:
        return 1  # the compiler has said why
    words = ["part1", "mine", "--manifest", manifest, "--no-double", "--largest", "65"]
    return subprocess.run([CHECKER, *words, "--json", file], check=False).returncode


sys.exit(check(Path(sys.argv[1]), sys.argv[-1]))
