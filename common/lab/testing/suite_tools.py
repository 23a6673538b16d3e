"""What the steps of suites have in common: commands, lists and copies of the tree, what may be missing.

For suite_steps.py, in the root of the lab.
"""

import os
import shutil
import subprocess
from pathlib import Path

from budget import Skip

SCRATCH = Path("build/scratch_tree")


def command(*words, cwd=None):
    """Runs it; CalledProcessError where its status is not 0."""
    subprocess.run([str(word) for word in words], cwd=cwd, check=True)


def said_by(*words, cwd=None):
    """What it prints; CalledProcessError where its status is not 0."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True, errors="replace")
    return done.stdout


def need(program):
    """Skips the suite where `program` is missing."""
    if not shutil.which(program):
        raise Skip(f"{program} is missing")


def need_git(otherwise="no list of files"):
    """For what knows the tree only by git: a lab that was unpacked from an archive has none."""
    question = ["git", "rev-parse", "--is-inside-work-tree"]
    if not shutil.which("git") or subprocess.run(question, capture_output=True, check=False).returncode != 0:
        raise Skip(f"not a git checkout: {otherwise}")


def tracked(*patterns):
    """The files that belong to the tree; a deleted one is listed by git until that is committed."""
    need_git()
    return [name for name in said_by("git", "ls-files", "-z", "--", *patterns).split("\0") if name and os.path.lexists(name)]


def copy_tree(files, tree, root="."):
    """Makes `tree` equal to these files of `root`, or of a root each ({file: root}); its build folder stays. What is equal keeps its time stamp, what is
    written gets a new one, so that Ninja builds what differs and no more."""
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
    """What setup installed for `root`, a copy of it need not install again."""
    link, tools = Path(tree, "build/tools"), Path(root, "build/tools").resolve()
    link.parent.mkdir(parents=True, exist_ok=True)
    if tools.is_dir() and not link.exists():
        link.symlink_to(tools)


def scratch_tree(folder=None):
    """The copy that suites work in, one after the other: each finds built there what those before it needed too. Of the
    tree, or of another folder with one."""
    files = tracked() if folder is None else [str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()]
    copy_tree(files, SCRATCH, folder or ".")
    return SCRATCH


def configure_preset(preset, cwd=None):
    """With the compiler that setup chose, where CMake's own is too old."""
    compiler = said_by("bash", "common/setup/setup.sh", "--compiler", cwd=cwd).strip()
    command("cmake", "--preset", preset, *([f"-DCMAKE_CXX_COMPILER={compiler}"] if compiler else []), cwd=cwd)


def ctest(preset, *options):
    """Two at a time, as the budgets reckon."""
    command("ctest", "--preset", preset, "--no-tests=error", "-j", 2, *options)


def pip_tools(folder, requirement):
    """Whether pip could bring it: afterwards FOLDER/python holds it, FOLDER/bin its cmake, ctest and ninja."""
    script = '. common/setup/user_space.sh; pip_tools "$@"'
    return subprocess.run(["bash", "-c", script, "pip_tools", str(folder), requirement], check=False).returncode == 0


def everything():
    """Quick where it has been built."""
    command("./lab", "build", "all")
