"""Extended XYZ: all states in one file, for OVITO and ASE (docs/file_formats.md)."""

from export_states import MASS, PLACE, RADIUS, VELOCITY
from unfinished_file import UnfinishedFile

COLUMNS = "pos:R:3:velo:R:3:mass:R:1:radius:R:1"
NAMED = "name:S:1:"  # first column, if bodies have names


class XyzFile:
    """A file that grows by one state at a time and gets its name once it is complete (finish())."""

    def __init__(self, path):
        self.files = [UnfinishedFile(path)]

    def add(self, state):
        self.files[0].write(text_of(state).encode())

    def finish(self):
        self.files[0].finish()

    def discard(self):
        self.files[0].discard()


def text_of(state):
    """One frame. No Lattice, since the bodies are in no box. Numbers read back to the same doubles."""
    lines = [str(state.n), comment_of(state)]
    for k, record in enumerate(state.records):
        numbers = (*record[PLACE], *record[VELOCITY], record[MASS], record[RADIUS])
        name = [as_word(state.names.get(k, "body"))] if state.names else []
        lines.append(" ".join([*name, *map(repr, numbers)]))
    return "\n".join(lines) + "\n"


def comment_of(state):
    words = [f"Properties={NAMED if state.names else ''}{COLUMNS}", f"Time={state.time!r}", f"iteration={state.iteration}"]
    return " ".join([*words, 'pbc="F F F"'])


def as_word(name):
    """Joins the words of a name, since blanks separate columns."""
    return "_".join(name.split())
