"""Does a submission build in a clean copy of the lab, with only the lab's own files and what is handed in?

The copy is build/submit_tree. It keeps what was built, so that the second time takes seconds.
"""

import shutil
from collections.abc import Collection, Iterator, Mapping
from enum import Enum, auto
from pathlib import Path

from nbody_lab.build.lab import BUILT_WITH
from nbody_lab.build.manifest import Manifest, ManifestError
from nbody_lab.core.run import run_step
from nbody_lab.core.tree_copy import copy_tree, link_tools
from nbody_lab.handout.handed_in import role_of

# Besides the parts' folders.
_TOPS = ("CMakeLists.txt", "CMakePresets.json", "lab", "common", "docs", "data")


class Outcome(Enum):
    BUILDS = auto()
    FAILS = auto()
    NO_COMPILER = auto()  # or library, for the whole part


def _is_of_the_lab(path: str) -> bool:
    """In a part's folder, only files that students do not write."""
    if path.startswith("part"):
        return path.count("/") == 1 and role_of(path.partition("/")[2]) is None
    return not path.startswith("data/out/") and not path.endswith(".pyc")


def files_of_the_lab(root: Path) -> Iterator[str]:
    for top in [*(root / name for name in _TOPS), *root.glob("part*_*")]:
        for file in [top] if top.is_file() else top.rglob("*"):
            path = file.relative_to(root).as_posix()
            if file.is_file() and not file.is_symlink() and _is_of_the_lab(path):
                yield path


def _files_of_parts_not_begun(root: Path, files: Collection[str]) -> Iterator[str]:
    """CMake needs mine.hpp and flags.txt of every part."""
    for folder in root.glob("part*_*"):
        if not any(path.startswith(f"{folder.name}/") for path in files):
            for file in folder.iterdir():
                if file.is_file() and not file.is_symlink():
                    yield file.relative_to(root).as_posix()


class CleanCopy:
    def __init__(self, root: Path, files: Mapping[str, bytes]) -> None:
        """`files`: the bytes that go into the archive, by path."""
        self.tree = root / "build/submit_tree"
        self.log = root / "build/submit.log"
        handed_in = root / "build/submit_files"
        shutil.rmtree(handed_in, ignore_errors=True)
        for path, content in files.items():
            (handed_in / path).parent.mkdir(parents=True, exist_ok=True)
            (handed_in / path).write_bytes(content)
        given = [*files_of_the_lab(root), *_files_of_parts_not_begun(root, files)]
        copy_tree({**dict.fromkeys(given, root), **dict.fromkeys(files, handed_in)}, self.tree)
        link_tools(self.tree, root)

    def build(self, part: str, name: str) -> Outcome:
        """Builds the float program, and shows how far it is. The log has its output."""
        argv = [str(self.tree / "lab"), "build", part, name]
        label = f"building {part}/{name} in a clean copy of the lab"
        if run_step(label, argv, self.log, self.tree) == 0:
            return Outcome.BUILDS
        return Outcome.NO_COMPILER if self._lacks_compiler_of(part) else Outcome.FAILS

    def _lacks_compiler_of(self, part: str) -> bool:
        """CMake leaves out the whole part then, and the manifest knows none of its programs."""
        try:
            manifest = Manifest(self.tree / "build/release/manifest.json")
        except ManifestError:
            return False
        return part in BUILT_WITH and not manifest.of_part(part)
