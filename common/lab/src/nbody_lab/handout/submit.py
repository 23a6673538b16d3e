"""./lab submit: packs everything handed in, once it builds in a clean copy of the lab."""

import hashlib
from pathlib import Path
from typing import Annotated

from nbody_lab import ROOT
from nbody_lab.build.arguments import flag, option
from nbody_lab.build.lab import BUILT_WITH, Lab
from nbody_lab.build.warnings import find_remark
from nbody_lab.check.kept import VERDICTS, Verdict, seal_of
from nbody_lab.core.clean_text import file_name
from nbody_lab.core.console import LabTable, show, wrapped
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import load
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.core.words import plural
from nbody_lab.handout.archive import Member, pack_tar, pack_zip
from nbody_lab.handout.clean_copy import CleanCopy, Outcome
from nbody_lab.handout.handed_in import role_of
from nbody_lab.handout.submission import Submission, Version, collect

_TAR, _ZIP = (".tar.gz", ".tgz"), ".zip"


def _archive_file(text: str) -> Path:
    file = Path(text)
    if not file.name.endswith((*_TAR, _ZIP)):
        raise LabError(f"{file}: the archive must end with .tar.gz, or with .zip (--zip)")
    if file.is_dir() or not file.resolve().parent.is_dir():
        raise LabError(f"{file}: cannot be written there")
    return file


def _name_archive(authors: list[str]) -> str:
    """Without its ending: ASCII in any alphabet of the names."""
    together = ", ".join(authors)
    name = file_name(together) or hashlib.sha256(together.encode()).hexdigest()[:12]
    return f"submission_{name}"


def _describe_verdict(version: Version) -> str:
    """The last verdict of ./lab check on this very text."""
    again = f"./lab check {version.part} {version.name}"
    try:
        kept = load(Verdict, VERDICTS / f"{version.part}_{version.name}.json")
    except LabError:
        return f"never checked: {again}"
    if kept.source_sha256 != seal_of(ROOT / kept.source):
        return f"changed since it was checked: {again}"
    return f"{kept.verdict} on {kept.date[:10]}"


def _show_state(submission: Submission) -> None:
    """Before minutes of building: who hands in, whether it passes, and what is missing."""
    show(f"authors: {'; '.join(submission.authors)}")
    parts = [version.part for version in submission.versions]
    for version in submission.versions:
        is_choice = version.is_chosen and parts.count(version.part) > 1
        chosen = " (the version of your worksheet)" if is_choice else ""
        show(f"{version.part}/{version.name}{chosen}: {_describe_verdict(version)}")
    notes = list(submission.notes)
    if len(submission.authors) > 1:
        notes.append("the worksheets have different names")
    for note in notes:
        show("\n".join(wrapped(f"note: {note}", "  ")))


def _require_builds(submission: Submission) -> None:
    if submission.versions:
        say(
            f"{plural(len(submission.versions), 'version')} to build in a clean copy of the lab, which is kept: "
            "the first time takes longest"
        )
        _build_all(submission)


def _build_all(submission: Submission) -> None:
    copy, failed = CleanCopy(ROOT, submission.files), False
    for part, name, _ in submission.versions:
        outcome = copy.build(part, name)
        if outcome is Outcome.NO_COMPILER:
            what, option = BUILT_WITH[part]
            say(
                f"{part}/{name} could not be test-built: {what} was not found "
                f"(./lab setup {option}); it is handed in all the same"
            )
        elif outcome is Outcome.FAILS:
            failed = True
            say(
                f"{part}/{name} does not build in a clean copy, so nothing was written. "
                "Is a header not handed in? The error:"
            )
            print(copy.log.read_text(encoding="utf-8", errors="replace").rstrip(), flush=True)
        elif remark := find_remark(copy.tree / "build/release/bin" / part / name):
            say(f"{part}/{name}: {remark}")
    if failed:
        raise SystemExit(1)


def _contents(submission: Submission) -> LabTable:
    rows = []
    for path, content in sorted(submission.files.items()):
        role = role_of(path.partition("/")[2])
        rows.append((path, len(content), role.what if role else ""))
    return LabTable(("file", ">bytes", "what it is"), rows)


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
    """pack what you hand in, once it builds in a clean copy

    First it says what is missing: answers that are open, versions that were not checked.

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
    name = _name_archive(submission.authors)
    file = file or _archive_file(name + (_ZIP if as_zip else _TAR[0]))
    _show_state(submission)
    lab = Lab()
    lab.lock()
    _require_builds(submission)
    lab.unlock()
    is_zip = file.suffix == _ZIP
    members = {path: Member(content) for path, content in submission.files.items()}
    content = (pack_zip if is_zip else pack_tar)(name, members)
    write_bytes(file, content)
    show("", _contents(submission), "", f"{file}: {len(content)} bytes")
    show(f"sha256 {hashlib.sha256(content).hexdigest()}")
    show(f"look inside: {'unzip -l' if is_zip else 'tar tzf'} {file}")
