"""Does undo restore what passed, lose nothing, and say so?"""

import re
import shutil
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.tasks.undo import computes_as_naive, keep_passed, read_version, restore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "part1_words"
    folder.mkdir()
    (folder / "mine.hpp").write_text("passed")
    return folder / "mine.hpp"


def _kept(file: Path) -> Path:
    return file.parent / "notebook/passed"


def _pass(file: Path) -> None:
    keep_passed(file, read_version(file), _kept(file))


def test_nothing_has_passed(file: Path) -> None:
    words = "^no version of mine.hpp has passed ./lab check yet, so there is none to restore$"
    with pytest.raises(UserError, match=words):
        restore(file, _kept(file))
    assert file.read_text() == "passed"


def test_back_and_forth(file: Path) -> None:
    """The file keeps its mode; nothing else is left in the folder."""
    _pass(file)
    assert restore(file, _kept(file)) == "mine.hpp is already the version that last passed"
    file.chmod(0o600)
    file.write_text("broken")
    restored = (
        r"mine.hpp: restored as it passed on \d\d \w+, \d\d:\d\d; ./lab undo again reverses that"
    )
    assert re.fullmatch(restored, restore(file, _kept(file)))
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("passed", 0o600)
    assert sorted(one.name for one in _kept(file).iterdir()) == ["mine.hpp", "mine.hpp.replaced"]
    assert restore(file, _kept(file)) == "mine.hpp: restored to the text before undo"
    assert file.read_text() == "broken"


def test_a_file_that_was_deleted(file: Path) -> None:
    """It can be restored, but not checked; the line names the command as it is typed."""
    _pass(file)
    file.unlink()
    words = "^mine.hpp is missing; ./lab undo part1 mine restores the version that last passed"
    with pytest.raises(UserError, match=words):
        read_version(file)
    restore(file, _kept(file))
    assert file.read_text() == "passed"


def test_two_checks_at_once(file: Path) -> None:
    """What passed is what was judged, whatever the other check judged, and what was saved meanwhile."""
    judged = read_version(file)
    file.write_text("another check's")
    others = read_version(file)
    file.write_text("saved meanwhile")
    keep_passed(file, judged, _kept(file))
    assert (_kept(file) / "mine.hpp").read_bytes() == b"passed"
    keep_passed(file, others, _kept(file))
    assert (_kept(file) / "mine.hpp").read_bytes() == b"another check's"


def test_what_computes_as_naive_is_not_kept(file: Path) -> None:
    """A class whose only function has a misspelt name passes the check, since it is naive."""
    shutil.copy(ROOT / "part1_standard_opti/naive.hpp", file.parent)
    text = "class Mine : public Naive {{\n  void compute_{}() {{}}\n}};\n"
    for function, kept in (("acceleration", False), ("accelerations", True)):
        keep_passed(file, text.format(function).encode(), _kept(file))
        assert (_kept(file) / "mine.hpp").exists() == kept
    assert not computes_as_naive(b"\xff", file.parent) and not computes_as_naive(b"", _kept(file))
