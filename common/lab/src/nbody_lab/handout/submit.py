"""./lab submit packs what is handed in (handed_in.py), and says what is open. Nothing is compiled or run here."""

import hashlib
import posixpath
import re
from pathlib import Path
from typing import Annotated, NamedTuple

from nbody_lab import ROOT
from nbody_lab.building.handed_out import NO_CODE, is_given_mine
from nbody_lab.check.kept import VERDICTS, Verdict, seal_of
from nbody_lab.core.clean_text import file_name
from nbody_lab.core.console import LabTable, show
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load_if_whole
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.core.words import plural
from nbody_lab.handout.archive import ARCHIVE_FILE, Member, pack_tar
from nbody_lab.handout.handed_in import Role, is_given, role_of
from nbody_lab.notebook import notebook

_SIGN = 'write your names there first, question 0: authors = "Ada Lovelace";'
_AUTHORS = re.compile(r'\bauthors\s*=\s*"([^"\n]*[^"\s][^"\n]*)"')
_NOT_ANSWERED = re.compile(r'\b\w+\s*=\s*(?:unanswered|no_choice|"")\s*[,;]')
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.M)


class _File(NamedTuple):
    role: Role
    content: bytes

    @property
    def code(self) -> str:
        """Without comments; string literals stay."""
        text = self.content.decode("utf-8", "replace")
        return NO_CODE.sub(lambda match: match[1] or " ", text)


def _read_part(folder: Path) -> dict[str, _File]:
    """All that the part hands in, by path from the root. Raises LabError for what a grader would not take or not find."""
    files = {}
    for file in sorted([*folder.iterdir(), *folder.glob("notebook/*")]):
        role = role_of(file.relative_to(folder).as_posix())
        if role and file.is_file():
            if file.stat().st_size > role.largest_bytes:
                raise LabError(f"{file}: larger than {role.largest_bytes} bytes")
            files[file.relative_to(folder.parent).as_posix()] = _File(role, file.read_bytes())
    for path, one in files.items():
        if one.role.name in ("code", "header"):
            for included in _INCLUDE.findall(one.code):
                target = posixpath.normpath(f"{folder.name}/{included}")
                is_here = (folder.parent / target).exists()  # else found in common/, or an error
                if is_here and not (
                    target in files or is_given(target) or target.startswith("common/")
                ):
                    raise LabError(
                        f'{path} includes "{included}", which is not handed in: '
                        f"make it a header (.hpp, .cuh, .h) in {folder.name}"
                    )
    return files


def _last_verdict(part: str, name: str) -> str:
    """Of ./lab check on this very text."""
    kept = load_if_whole(Verdict, VERDICTS / f"{part}_{name}.json")
    if kept and kept.source_sha256 == seal_of(ROOT / kept.source):
        how = f" with {' '.join(kept.options)}" if kept.options else ""
        return f"{kept.verdict} on {kept.date[:10]}{how}"
    return f"not checked as it is now: ./lab check {part} {name}"


def submit(file: Annotated[Path | None, ARCHIVE_FILE] = None) -> None:
    """pack what you hand in

    Without -o, it is submission_YOUR_NAMES.tar.gz. It says what is missing: answers that are open, versions that were not checked.

    ./lab submit
    """
    handed_in: dict[str, _File] = {}
    authors: dict[str, None] = {}  # each once
    state = []
    for folder in sorted(one.parent for one in ROOT.glob("part*_*/CMakeLists.txt")):
        part, files = folder.name.split("_")[0], _read_part(folder)
        versions = [
            Path(path).stem
            for path, one in files.items()
            if one.role.name == "code" and not is_given_mine(folder, one.code)
        ]
        sheet = "".join(one.code for one in files.values() if one.role.name == "worksheet")
        names = _AUTHORS.search(sheet)
        if not (versions or names or f"{folder.name}/notebook.csv" in files):
            state.append(f"{part}: not started, so not in the archive")
            continue
        if not names:
            raise LabError(f"{folder.name}/worksheet.hpp has no names: {_SIGN}")
        authors[" ".join(names[1].split())] = None
        handed_in |= files
        state += [f"{part}/{name}: {_last_verdict(part, name)}" for name in versions]
        try:
            notebook.load(folder)
        except LabError as error:
            state.append(f"{part}: {error}")
        if still_open := _NOT_ANSWERED.findall(sheet):
            answers = plural(len(still_open), "answer")
            state.append(f"{part}: {answers} still open: ./lab worksheet {part}")
    if not handed_in:
        raise LabError(f"no part is started: open its worksheet.hpp and {_SIGN}")
    who = "; ".join(authors)
    # A name in another alphabet has no letters for a file.
    name = f"submission_{file_name(who) or hashlib.sha256(who.encode()).hexdigest()[:12]}"
    file = file or Path(f"{name}.tar.gz")
    content = pack_tar(name, {path: Member(one.content) for path, one in handed_in.items()})
    write_bytes(file, content)
    rows = [(path, len(one.content), one.role.what) for path, one in sorted(handed_in.items())]
    show(f"authors: {who}", *state, "", LabTable(("file", ">bytes", "what it is"), rows), "")
    show(f"{file}: {len(content)} bytes", f"sha256 {hashlib.sha256(content).hexdigest()}")
    show(f"look inside: tar tzf {file}")
