"""Does a submission build in a clean copy of the lab, with only the lab's own files and what is handed in?

The copy is build/submit_tree. It keeps what was built, so that the second time takes seconds.
"""

import shutil
import subprocess

from handed_in import role_of
from tree_copy import copy_tree, link_tools

TOPS = ("CMakeLists.txt", "CMakePresets.json", "lab", "common", "docs", "data")  # besides the parts' folders
NOT_BUILT_HERE = "is not built here"


def is_of_the_lab(path):
    """Whether a file belongs to the lab; in a part's folder, only files that students do not write."""
    if path.startswith("part"):
        return path.count("/") == 1 and role_of(path.partition("/")[2]) is None
    return not path.startswith("data/out/") and not path.endswith(".pyc")


def files_of_the_lab(root):
    for top in [*(root / name for name in TOPS), *root.glob("part*_*")]:
        for file in [top] if top.is_file() else top.rglob("*"):
            path = file.relative_to(root).as_posix()
            if file.is_file() and not file.is_symlink() and is_of_the_lab(path):
                yield path


def files_of_parts_not_begun(root, files):
    """The files of parts that were not begun: CMake needs mine.hpp and flags.txt of every part."""
    for folder in root.glob("part*_*"):
        if not any(path.startswith(f"{folder.name}/") for path in files):
            yield from (file.relative_to(root).as_posix() for file in folder.iterdir() if file.is_file() and not file.is_symlink())


def clean_copy(root, files):
    """The clean copy, with the bytes that go into the archive."""
    tree = root / "build/submit_tree"
    handed_in = tree.with_name("submit_files")
    shutil.rmtree(handed_in, ignore_errors=True)
    for path, content in files.items():
        (handed_in / path).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / path).write_bytes(content)
    given = dict.fromkeys([*files_of_the_lab(root), *files_of_parts_not_begun(root, files)], root)
    copy_tree({**given, **dict.fromkeys(files, handed_in)}, tree)
    link_tools(tree, root)
    return tree


def build(tree, part, name):
    """(does it build, the output), for the float program."""
    done = subprocess.run([str(tree / "lab"), "build", part, name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    return done.returncode == 0, done.stdout


def problems(root, found, tell):
    """[(part, name, output)] of everything that does not build. `tell` gets a line about every other one."""
    tree, wrong = clean_copy(root, found.files), []
    for part, name in found.changed:
        built, said = build(tree, part, name)
        if not built and NOT_BUILT_HERE in said:
            tell(f"{part}/{name} could not be test-built: no CUDA compiler here")
        elif not built:
            wrong.append((part, name, said))
        else:
            tell(f"{part}/{name} builds in a clean copy")
    return wrong
