"""Copies of the tree in which something else is built."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from nbody_lab import ROOT

SCRATCH = ROOT / "build/scratch_tree"


def copy_tree(
    files: Sequence[str] | Mapping[str, Path | str], tree: Path | str, root: Path | str = "."
) -> None:
    """Makes `tree` equal to these files of `root`, or {file: root} with a root for each; its build folder stays. Equal files
    keep their time stamps, so Ninja rebuilds only what differs."""
    roots = files if isinstance(files, Mapping) else dict.fromkeys(files, root)
    tree = Path(tree)
    tree.mkdir(parents=True, exist_ok=True)
    for top in [path for path in tree.iterdir() if path.name != "build"]:
        for path in sorted([top, *top.rglob("*")], reverse=True):
            if path.is_dir() and not path.is_symlink():
                if not any(path.iterdir()):
                    path.rmdir()
            elif str(path.relative_to(tree)) not in roots:
                path.unlink()
    for file in roots:
        source, target = Path(roots[file], file), tree / file
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def link_tools(tree: Path | str, root: Path | str) -> None:
    """Lets a copy of the tree use what setup installed for `root`: its tools, and its Python environment."""
    Path(tree, "build").mkdir(parents=True, exist_ok=True)
    for name in ("tools", "venv"):
        link, installed = Path(tree, "build", name), Path(root, "build", name).resolve()
        if installed.is_dir() and not link.exists():
            link.symlink_to(installed)
