"""Adapts documents to the handout, which lacks some of the files that they name.

Drops lines between MARK and END, and table rows and pictures that show a file left out. Any other mention of such a
file is an error in the document: run_docs.py finds it, and a pair of marks fixes it.
"""

import re

from handout_left_out import why_left_out

MARK, END = "<!-- not in the handout -->", "<!-- in the handout again -->"
NAMED = re.compile(r"`([\w./-]+)`|\]\(([^)#\s]+)")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


def paths_in(line, folder):
    """Yields the paths that a line may mean: from the root, beside the document, and in docs/."""
    for match in NAMED.finditer(line):
        name = re.sub(r"^(\.\./)+", "", match[1] or match[2])
        yield from (name, f"{folder}/{name}" if folder else name, f"docs/{name}")


def is_dropped(line, folder):
    """Whether it is a table row or a picture whose file is left out."""
    if line.startswith("|") or PICTURE.fullmatch(line.strip()):
        return any(why_left_out(path) for path in paths_in(line, folder))
    return False


def handed_out_text(text, folder=""):
    """The document without dropped lines; `folder`: its folder, from the root. Raises ValueError for unpaired marks."""
    kept, dropping = [], False
    for line in text.split("\n"):
        if line.strip() in (MARK, END):
            if dropping == (line.strip() == MARK):
                raise ValueError(f"'{line.strip()}' is out of order")
            dropping = not dropping
        elif not dropping and not is_dropped(line, folder):
            kept.append(line)
    if dropping:
        raise ValueError(f"'{MARK}' has no end")
    return "\n".join(kept)
