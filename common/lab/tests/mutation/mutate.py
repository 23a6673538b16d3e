"""Plants the faults of mutations.py, one at a time, in a copy of the tree, and checks that the named test fails.

    mutate.py [WORD...]     all of them, or those whose row has one of the words

Status 1: a fault was not found, does not compile or no longer has its place, or a test fails without any fault.
"""

import os
import subprocess
import sys
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.core.tree_copy import copy_tree, link_tools
from tests.mutation.mutations import MUTATIONS

TREE = Path("build/mutation")
BUILD = TREE / "build/release"


class Wrong(UserError):
    """Explains in one line why no fault can be planted."""


def places(mutation, root):
    """The number of times the mutation's text occurs in its file."""
    file = root / mutation.file
    return file.read_text(encoding="utf-8").count(mutation.old) if file.is_file() else 0


def quietly(*words, **environment):
    """Runs a command: (did it succeed, the end of its output)."""
    done = subprocess.run(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, **environment},
    )
    return done.returncode == 0, done.stdout[-3000:]


def targets_of(mutations):
    """The ninja targets of their tests; Python tests have none."""
    known = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "targets", "all"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    return sorted(
        {name for name in (m.test.split()[0] for m in mutations) if f"\n{name}: phony" in known}
    )


def builds(targets):
    return quietly("ninja", "-C", BUILD, *targets) if targets else (True, "")


def passes(test):
    """Runs only the named cases, under a time limit."""
    name, _, cases = test.partition(" ")
    if name.endswith(".py"):
        return quietly(
            TREE / "build/venv/bin/python",
            "-m",
            "pytest",
            "--rootdir",
            TREE,
            "-c",
            TREE / "pyproject.toml",
            "-x",
            TREE / name,
        )
    return quietly(
        "ctest",
        "--test-dir",
        BUILD,
        "--no-tests=error",
        "--output-on-failure",
        "-R",
        f"^{name}$",
        GTEST_FILTER=cases or "*",
    )


def prepare(mutations):
    """Makes and builds the copy. Raises Wrong if a test fails there without a fault."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    copy_tree([name for name in listed.split("\0") if name and Path(name).is_file()], TREE)
    link_tools(TREE, ROOT)
    subprocess.run(["cmake", "--preset", "release"], cwd=TREE, check=True)
    built, said = builds(targets_of(mutations))
    if not built:
        raise Wrong(f"{said}\nmutate: the tree does not build even without a fault")
    for test in sorted({m.test for m in mutations}):
        passed, said = passes(test)
        if not passed:
            raise Wrong(f"{said}\nmutate: {test} fails even without a fault")


def outcome_of(mutation):
    """The outcome in words; the tree is restored afterwards."""
    if places(mutation, TREE) != 1:
        return "no single place"
    file = TREE / mutation.file
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        built, said = builds(targets_of([mutation]))
        if not built:
            print(said)
            return "does not build"
        return "NOT found" if passes(mutation.test)[0] else "found"
    finally:
        file.write_text(text, encoding="utf-8")


def main(words):
    chosen = [m for m in MUTATIONS if not words or any(word in " ".join(m) for word in words)]
    if not chosen:
        print(f"mutate: no row has a word of: {' '.join(words)}", file=sys.stderr)
        return 2
    try:
        prepare(chosen)
    except Wrong as fault:
        print(fault, file=sys.stderr)
        return 1
    found = 0
    for mutation in chosen:
        outcome = outcome_of(mutation)
        found += outcome == "found"
        print(f"{mutation.wrong:<44} {outcome:<15} {mutation.test}", flush=True)
    print(f"{found} of {len(chosen)} faults found")
    return 0 if found == len(chosen) else 1


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
