"""References in documents to files that are not there."""

import posixpath
import re
from collections.abc import Callable, Iterator

_LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
# A file of the tree that the text names: `docs/physics.md`, `physics.md`, or [a link](physics.md).
_NAMED_FILE = re.compile(r"`((?:docs|common|data|solutions|part\w+)/[\w./-]*\w|\w+\.md)`")
# Code, in which [](int x) is no link.
_CODE = re.compile(r"^```(?:cpp|diff)$.*?^```$", re.M | re.S)


def find_dead_references(name: str, text: str, exists: Callable[[str], bool]) -> Iterator[str]:
    """Files that a document names and that are not there, by their paths from the root. What a command makes may be
    missing: build/, names in capitals, and NOTEBOOK.md."""
    folders = (posixpath.dirname(name), "", "docs")
    text = _CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
    for number, line in enumerate(text.splitlines(), 1):
        links = [link for link in _LINK.findall(line) if ":" not in link]
        for target in links + _NAMED_FILE.findall(line):
            if "NAME" in target or target.endswith("NOTEBOOK.md") or target.startswith("data/out"):
                continue
            meant = (posixpath.normpath(posixpath.join(folder, target)) for folder in folders)
            if not any(map(exists, meant)):
                yield f"{name}:{number}: there is no file {target}"
