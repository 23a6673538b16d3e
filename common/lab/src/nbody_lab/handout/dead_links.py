"""References in documents to files that are not there."""

import re
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
# A file of the tree that the text names: `docs/physics.md`, `physics.md`, or [a link](physics.md).
NAMED_FILE = re.compile(r"`((?:docs|common|data|solutions|part\w+)/[\w./-]*\w|\w+\.md)`")


def dead_references(name, text, root):
    """Files that a document names and that are not there. What a command makes may be missing:
    build/, names in capitals, and NOTEBOOK.md."""
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        links = [link for link in LINK.findall(line) if ":" not in link]
        for target in links + NAMED_FILE.findall(line):
            if "NAME" in target or target.endswith("NOTEBOOK.md") or target.startswith("data/out"):
                continue
            folders = [root / Path(name).parent, root, root / "docs"]
            if not any((folder / target).exists() for folder in folders):
                problems.append(f"{name}:{number}: there is no file {target}")
    return problems
