"""./lab export BASE FILE.xyz|FILE.pvd: converts the files of ./lab run -w BASE for OVITO or ParaView."""

import sys
import time
from pathlib import Path

from nbody_lab.core.messages import stop
from nbody_lab.export.body_text import BadFile, files_of
from nbody_lab.export.formats import VtkFiles, XyzFile, states_of

WRITERS = {".xyz": XyzFile, ".pvd": VtkFiles}  # each has add(state), finish(), discard()
PATIENCE = 2  # seconds between progress messages


def writer_for(path):
    """The writer for a new file; None for an unknown file type."""
    kind = WRITERS.get(Path(path).suffix)
    return kind(path) if kind and Path(path).stem else None


def export(_, words):
    if len(words) != 2 or any(not word or word.startswith("-") for word in words):
        stop("export takes two words: ./lab export BASE FILE.xyz (OVITO), or FILE.pvd (ParaView)")
    base, path = words
    if Path(path).suffix not in WRITERS:
        stop(f"export writes FILE.xyz (OVITO) or FILE.pvd (ParaView), not '{path}'")
    demand_folder(path)
    try:
        files = files_of(base)
        states, bodies, size = written(with_progress(states_of(files), len(files)), path)
    except BadFile as fault:
        stop(str(fault))
    except OSError as fault:
        stop(f"{path}: cannot be written ({fault.strerror}); the partial file was removed")
    print(
        f"{path}: {states} state{'s' * (states != 1)} of {bodies} bod{'ies' if bodies != 1 else 'y'}, {in_words(size)}"
    )
    return 0


def demand_folder(path):
    """Complains before anything is built, run or read."""
    folder = Path(path).parent
    if not folder.is_dir():
        stop(f"{path}: cannot be written (no folder {folder}): create it or choose another place")


def in_words(size):
    """A number of bytes as text."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


def written(states, path):
    """(states, bodies, bytes). Removes the partial files on any error."""
    count = bodies = 0
    writer = writer_for(path)
    try:
        for state in states:
            writer.add(state)
            count, bodies = count + 1, state.n
        writer.finish()
    except BaseException:
        writer.discard()
        raise
    return count, bodies, sum(file.bytes for file in writer.files)


def with_progress(states, total):
    """Yields the same states and prints the progress now and then."""
    begun = told = time.monotonic()
    for k, state in enumerate(states, 1):
        yield state
        if time.monotonic() - told > PATIENCE and k < total:
            told = time.monotonic()
            left = (told - begun) / k * (total - k)
            print(
                f"lab: {k} of {total} states, about {left:.0f} s left", file=sys.stderr, flush=True
            )
