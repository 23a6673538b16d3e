"""Does a submission build in a clean copy of the lab: the lab's own files and what is handed in, nothing else?

The copy is build/submit_tree. What was built there stays, so that the second time takes seconds.
"""

import shutil
import subprocess

from handed_in import role_of
from suite_tools import copy_tree

NOT_THE_LAB = ("build", "data/out", "solutions")
NOT_BUILT_HERE = "is not built here"


def is_of_the_lab(path):
    """Of a part's folder only what students do not write."""
    folder, _, name = path.rpartition("/")
    if folder.startswith("part") and "/" not in folder:
        return role_of(name) is None
    return not (folder.startswith("part") or path.startswith(".git/") or path.endswith(".pyc")
                or any(path == top or path.startswith(f"{top}/") for top in NOT_THE_LAB))


def files_of_the_lab(root):
    for top in root.iterdir():
        if top.name in ("build", ".git", "solutions"):
            continue
        for file in [top] if top.is_file() else top.rglob("*"):
            path = file.relative_to(root).as_posix()
            if file.is_file() and not file.is_symlink() and is_of_the_lab(path):
                yield path


def clean_copy(root, files):
    """The tree, with the bytes that go into the archive."""
    tree = root / "build/submit_tree"
    handed_in = tree.with_name("submit_files")
    shutil.rmtree(handed_in, ignore_errors=True)
    for path, content in files.items():
        (handed_in / path).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / path).write_bytes(content)
    # mine.hpp and flags.txt of a part that is not handed in are the given ones: CMake wants them.
    given = {path: root for path in files_of_the_lab(root)}
    for folder in root.glob("part*_*"):
        if not any(path.startswith(f"{folder.name}/") for path in files):
            given.update((file.relative_to(root).as_posix(), root) for file in folder.iterdir() if file.is_file() and not file.is_symlink())
    copy_tree({**given, **dict.fromkeys(files, handed_in)}, tree)
    link = tree / "build/tools"
    link.parent.mkdir(exist_ok=True)
    if (root / "build/tools").is_dir() and not link.exists():
        link.symlink_to(root / "build/tools")
    return tree


def build(tree, part, name):
    """(does it build, what was said), of the program in float."""
    done = subprocess.run([str(tree / "lab"), "build", part, name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    return done.returncode == 0, done.stdout


def problems(root, found, tell):
    """What does not build, each with what was said: [(part, name, text)]. `tell` hears a line for each."""
    tree, wrong = clean_copy(root, found.files), []
    for part, name in found.changed:
        built, said = build(tree, part, name)
        if not built and NOT_BUILT_HERE in said:
            tell(f"{part}/{name} is not proved to build: no CUDA compiler here")
        elif not built:
            wrong.append((part, name, said))
        else:
            tell(f"{part}/{name} builds in a clean copy")
    return wrong
