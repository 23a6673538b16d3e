"""Plants the faults of mutations.json, one at a time, in a copy of the tree, and checks that the named test fails.

    mutate.py [WORD...]     all of them, or those whose row has one of the words

A row: what is wrong, the file, its text (which occurs once), what stands there instead, and the ctest that must fail,
with a GoogleTest filter after its name, or a file of pytest. Status 1: a fault was not found, does not compile or no
longer has its place, or a test fails without any fault.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError, ended
from nbody_lab.core.tree_copy import copy_tree, link_tools

TREE = Path("build/mutation")
BUILD = TREE / "build/release"


class Mutation(NamedTuple):
    wrong: str
    file: str
    old: str
    new: str
    test: str


_GROUPS = json.loads(Path(__file__).with_name("mutations.json").read_text(encoding="utf-8"))
MUTATIONS = [Mutation(*row) for rows in _GROUPS.values() for row in rows]


def places(mutation: Mutation, root: Path) -> int:
    """The number of times the mutation's text occurs in its file."""
    file = root / mutation.file
    return file.read_text(encoding="utf-8").count(mutation.old) if file.is_file() else 0


def run_quietly(*words: str | Path, **environment: str) -> tuple[bool, str]:
    """(did it succeed, the end of its output)"""
    done = subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, **environment},
    )
    return done.returncode == 0, done.stdout[-3000:]


def output_of(*words: str | Path) -> str:
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout


def build(mutations: Iterable[Mutation]) -> tuple[bool, str]:
    """Builds their tests, if they are in C++."""
    known = output_of("ninja", "-C", BUILD, "-t", "targets", "all")
    names = {mutation.test.split()[0] for mutation in mutations}
    targets = sorted(name for name in names if f"\n{name}: phony" in known)
    return run_quietly("ninja", "-C", BUILD, *targets) if targets else (True, "")


def passes(test: str) -> tuple[bool, str]:
    """Runs only the named cases."""
    name, _, cases = test.partition(" ")
    if name.endswith(".py"):
        pytest = (TREE / "build/venv/bin/python", "-m", "pytest", "--rootdir", TREE)
        return run_quietly(*pytest, "-c", TREE / "pyproject.toml", "-x", TREE / name)
    ctest = ("ctest", "--test-dir", BUILD, "--no-tests=error", "--output-on-failure")
    return run_quietly(*ctest, "-R", f"^{name}$", GTEST_FILTER=cases or "*")


def prepare(mutations: list[Mutation]) -> None:
    """Makes and builds the copy. Raises LabError if a test fails there without a fault."""
    listed = output_of("git", "ls-files", "-z", "-co", "--exclude-standard")
    copy_tree([name for name in listed.split("\0") if name and Path(name).is_file()], TREE)
    link_tools(TREE, ROOT)
    subprocess.run(["cmake", "--preset", "release"], cwd=TREE, check=True)
    built, output = build(mutations)
    if not built:
        raise LabError(f"{output}\nthe tree does not build even without a fault")
    for test in sorted({mutation.test for mutation in mutations}):
        passed, output = passes(test)
        if not passed:
            raise LabError(f"{output}\n{test} fails even without a fault")


def find_outcome(mutation: Mutation) -> str:
    """The outcome in words; the tree is restored afterwards."""
    if places(mutation, TREE) != 1:
        return "no single place"
    file = TREE / mutation.file
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        built, output = build([mutation])
        if not built:
            print(output)
            return "does not build"
        return "NOT found" if passes(mutation.test)[0] else "found"
    finally:
        file.write_text(text, encoding="utf-8")


def main(words: list[str]) -> int:
    os.chdir(ROOT)
    chosen = [m for m in MUTATIONS if not words or any(word in " ".join(m) for word in words)]
    if not chosen:
        raise LabError(f"no row of mutations.json has a word of: {' '.join(words)}")
    prepare(chosen)
    found = 0
    for mutation in chosen:
        outcome = find_outcome(mutation)
        found += outcome == "found"
        print(f"{mutation.wrong:<44} {outcome:<15} {mutation.test}", flush=True)
    print(f"{found} of {len(chosen)} faults found")
    return 0 if found == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
