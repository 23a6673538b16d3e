"""Tools for suite_steps.py: commands, file lists, copies of the tree, missing programs. They run in the lab's root."""

import os
import shutil
import subprocess
from pathlib import Path

from budget import Skip

SCRATCH = Path("build/scratch_tree")


def command(*words, cwd=None):
    """Runs a command. Raises CalledProcessError on failure."""
    subprocess.run([str(word) for word in words], cwd=cwd, check=True)


def said_by(*words, cwd=None):
    """The output of a command. Raises CalledProcessError on failure."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True, errors="replace")
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


def copy_tree(files, tree, root="."):
    """Makes `tree` equal to these files of `root`, or {file: root} with a root for each; its build folder stays. Equal files
    keep their time stamps, so Ninja rebuilds only what differs."""
    tree, wanted = Path(tree), set(files)
    tree.mkdir(parents=True, exist_ok=True)
    for path in [path for top in tree.iterdir() if top.name != "build" for path in sorted([top, *top.rglob("*")], reverse=True)]:
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif str(path.relative_to(tree)) not in wanted:
            path.unlink()
    for file in files:
        source, target = Path(files[file] if isinstance(files, dict) else root, file), tree / file
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def link_tools(tree, root):
    """Lets a copy of the tree use the tools that setup installed for `root`."""
    link, tools = Path(tree, "build/tools"), Path(root, "build/tools").resolve()
    link.parent.mkdir(parents=True, exist_ok=True)
    if tools.is_dir() and not link.exists():
        link.symlink_to(tools)


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
