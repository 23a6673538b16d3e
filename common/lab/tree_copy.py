"""Copies of the tree in which something else is built."""

import shutil
from pathlib import Path


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
