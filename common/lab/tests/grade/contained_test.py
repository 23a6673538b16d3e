"""What a contained program can do with its input and output, and the words of an old sandbox around it."""

import pytest

from nbody_lab.grade.bubblewrap import Access, Bubblewrap
from nbody_lab.grade.contained import Contained
from nbody_lab.grade.isolation import RUN


def run(script, data=b""):
    return Contained(["/bin/sh", "-c", script], RUN, data).run()


def test_it_reads_its_input():
    ended = run("cat; echo done >&2; exit 3", b"said " * 50000)
    assert (ended.status, ended.stdout, ended.stderr) == (3, b"said " * 50000, b"done\n")


@pytest.mark.parametrize(
    "change",
    ["echo more >&0", "echo more >>/dev/stdin", ": >/dev/stdin", "truncate -s 9M /dev/stdin"],
)
def test_it_cannot_change_its_input(change):
    """Nobody counts what it would write there."""
    ended = run(
        f"({change}) 2>/dev/null && exit 1; chmod 666 /dev/stdin; ({change}) || cat", b"given"
    )
    assert (ended.status, ended.stdout) == (0, b"given")


@pytest.mark.parametrize("options", ["", "--size"])
def test_an_old_bubblewrap_starts_too(options):
    """Without the option it would end at once: then there is no /tmp rather than one without a limit."""
    try:
        builder = Bubblewrap(as_root=False)
    except OSError as reason:
        pytest.skip(str(reason))
    builder.options = options
    words = builder.words(["true"], RUN, Access(ranks=True))
    assert words.count("--size") == words.count("--tmpfs") == (2 if options else 0)
