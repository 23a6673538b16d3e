"""./lab submit: packs everything that is handed in."""

import hashlib
from pathlib import Path
from typing import Annotated

from nbody_lab import ROOT
from nbody_lab.building.arguments import flag, option
from nbody_lab.check.kept import VERDICTS, Verdict, seal_of
from nbody_lab.core.clean_text import file_name
from nbody_lab.core.console import LabTable, show, wrapped
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.handout.archive import Member, pack_tar, pack_zip
from nbody_lab.handout.submission import Submission, collect

_TAR, _ZIP = (".tar.gz", ".tgz"), ".zip"


def _archive_file(text: str) -> Path:
    file = Path(text)
    if not file.name.endswith((*_TAR, _ZIP)):
        raise LabError(f"{file}: the archive must end with .tar.gz, or with .zip (--zip)")
    if file.is_dir() or not file.resolve().parent.is_dir():
        raise LabError(f"{file}: cannot be written there")
    return file


def _last_verdict(part: str, name: str) -> str:
    """Of ./lab check on this very text."""
    try:
        kept = load(Verdict, VERDICTS / f"{part}_{name}.json")
    except LabError:
        return f"never checked: ./lab check {part} {name}"
    if kept.source_sha256 != seal_of(ROOT / kept.source):
        return f"changed since it was checked: ./lab check {part} {name}"
    return f"{kept.verdict} on {kept.date[:10]}"


def _show_state(submission: Submission) -> None:
    """Who hands in, whether it passed, and what is missing."""
    show(f"authors: {'; '.join(submission.authors)}")
    for part, name in submission.versions:
        show(f"{part}/{name}: {_last_verdict(part, name)}")
    notes = list(submission.notes)
    if len(submission.authors) > 1:
        notes.append("the worksheets have different names")
    for note in notes:
        show("\n".join(wrapped(f"note: {note}", "  ")))


def submit(
    file: Annotated[
        Path | None,
        option(
            "-o",
            "FILE",
            "the archive (default: submission_YOUR_NAMES.tar.gz)",
            parser=_archive_file,
        ),
    ] = None,
    as_zip: Annotated[bool, flag("--zip", "a .zip instead of a .tar.gz")] = False,
) -> None:
    """pack what you hand in

    It says what is missing: answers that are open, versions that were not checked.

    ./lab submit
    """
    if file and as_zip and file.suffix != _ZIP:
        raise LabError(f"{file}: the archive must end with .zip, because of --zip")
    submission = collect(sorted(one.parent for one in ROOT.glob("part*_*/CMakeLists.txt")))
    if not submission.files:
        raise LabError(
            "no part is started: write your names into part1_standard_opti/worksheet.hpp, "
            'question 0: authors = "Ada Lovelace";'
        )
    _show_state(submission)
    names = ", ".join(submission.authors)
    # In any alphabet: a file's name is ASCII.
    name = f"submission_{file_name(names) or hashlib.sha256(names.encode()).hexdigest()[:12]}"
    file = file or _archive_file(name + (_ZIP if as_zip else _TAR[0]))
    pack, look_inside = (pack_zip, "unzip -l") if file.suffix == _ZIP else (pack_tar, "tar tzf")
    content = pack(name, {path: Member(one.content) for path, one in submission.files.items()})
    write_bytes(file, content)
    rows = [
        (path, len(one.content), one.role.what) for path, one in sorted(submission.files.items())
    ]
    show("", LabTable(("file", ">bytes", "what it is"), rows), "")
    show(f"{file}: {len(content)} bytes", f"sha256 {hashlib.sha256(content).hexdigest()}")
    show(f"look inside: {look_inside} {file}")
