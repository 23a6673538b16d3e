"""Tools for suite_steps.py: commands, file lists, copies of the tree, missing programs. They run in the lab's root."""

import os
import shutil
import subprocess
from pathlib import Path

from budget import Skip
from tree_copy import copy_tree

SCRATCH = Path("build/scratch_tree")


def command(*words, cwd=None):
    """Runs a command. Raises CalledProcessError on failure."""
    subprocess.run([str(word) for word in words], cwd=cwd, check=True)


def said_by(*words, cwd=None):
    """The output of a command. Prints it and raises CalledProcessError on failure."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, check=False, stdout=subprocess.PIPE, text=True, errors="replace")
    if done.returncode != 0:
        print(done.stdout, flush=True)
        done.check_returncode()
    return done.stdout


def need(program):
    """Skips the suite if `program` is missing."""
    if not shutil.which(program):
        raise Skip(f"{program} is missing")


def need_git(otherwise="no list of files"):
    """Skips the suite outside a git checkout, such as in an unpacked archive."""
    question = ["git", "rev-parse", "--is-inside-work-tree"]
    if not shutil.which("git") or subprocess.run(question, capture_output=True, check=False).returncode != 0:
        raise Skip(f"not a git checkout: {otherwise}")


def tracked(*patterns):
    """The files that git tracks, without deleted ones that are not yet committed."""
    need_git()
    return [name for name in said_by("git", "ls-files", "-z", "--", *patterns).split("\0") if name and os.path.lexists(name)]


def scratch_tree(folder=None):
    """A copy of the tree, or of a tree in `folder`, which suites use one after another, so that later ones reuse what
    earlier ones built."""
    files = tracked() if folder is None else [str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()]
    copy_tree(files, SCRATCH, folder or ".")
    return SCRATCH


def configure_preset(preset, cwd=None):
    """Configures with the compiler that setup chose if CMake's default is too old."""
    compiler = said_by("bash", "common/setup/setup.sh", "--compiler", cwd=cwd).strip()
    command("cmake", "--preset", preset, *([f"-DCMAKE_CXX_COMPILER={compiler}"] if compiler else []), cwd=cwd)


def ctest(preset, *options):
    """Runs two tests at a time: the budgets assume that."""
    command("ctest", "--preset", preset, "--no-tests=error", "-j", 2, *options)


def pip_tools(folder, requirement):
    """Whether pip could install it. FOLDER/python then holds it, FOLDER/bin its cmake, ctest and ninja."""
    script = '. common/setup/user_space.sh; pip_tools "$@"'
    return subprocess.run(["bash", "-c", script, "pip_tools", str(folder), requirement], check=False).returncode == 0


def everything():
    """Builds everything; quick if it is already built."""
    command("./lab", "build", "all")
