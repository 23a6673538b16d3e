"""Finds and reads what a student's tree hands in, and judges it as text; nothing is compiled or run here."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nbody_lab.building.handed_out import NO_CODE, is_given_mine
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import plural
from nbody_lab.handout.handed_in import Role, is_baseline, role_of

_AUTHORS = re.compile(r'\bauthors\s*=\s*"((?:[^"\\\n]|\\.)*)"')
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.M)
_NOT_ANSWERED = re.compile(r'\b(\w+)\s*=\s*(?:unanswered|no_choice|"")\s*[,;]')
_EMPTY_CLASS = re.compile(r"class Mine : public Naive \{ public: using Naive::Naive; \};")
_MOST_NAMED = 4


class File(NamedTuple):
    role: Role
    content: bytes

    @property
    def code(self) -> str:
        """Without comments; string literals stay."""
        text = self.content.decode("utf-8", "replace")
        return NO_CODE.sub(lambda match: match[1] or " ", text)


@dataclass
class Submission:
    files: dict[str, File] = field(default_factory=dict)  # by path from the root
    notes: list[str] = field(default_factory=list)  # what a grader would miss
    versions: list[tuple[str, str]] = field(default_factory=list)  # (part, name), if changed
    authors: list[str] = field(default_factory=list)  # of each worksheet, without duplicates


def authors_in(worksheet: str) -> str:
    """The authors in the code of a worksheet.hpp; empty if there are none."""
    found = _AUTHORS.search(worksheet)
    return " ".join(re.sub(r"\\(.)", r"\1", found[1]).split()) if found else ""


def _read(file: Path, role: Role) -> File:
    """Refuses files that a grader would not accept."""
    if file.is_symlink() or not file.is_file():
        raise LabError(f"{file}: is not a plain file: put the file itself there")
    content = file.read_bytes()
    if len(content) > role.largest_bytes:
        raise LabError(
            f"{file}: has {len(content)} bytes, but at most {role.largest_bytes} are allowed"
        )
    return File(role, content)


def _is_the_labs(path: str) -> bool:
    """Of a header, by its path from the root."""
    return path.startswith("common/") or is_baseline(path)


def _read_part(folder: Path) -> dict[str, File]:
    """All that the part hands in, by name. Raises LabError if code includes a file here that would not be there."""
    files = {}
    for file in sorted([*folder.iterdir(), *folder.glob("notebook/*")]):
        name = file.relative_to(folder).as_posix()
        role = role_of(name)
        if role and role.name != "header":
            files[name] = _read(file, role)
    waiting = [name for name, file in files.items() if file.role.name == "code"]
    for name in waiting:  # which grows
        for included in map(posixpath.normpath, _INCLUDE.findall(files[name].code)):
            file, role = folder / included, role_of(included)
            if included in files or not file.exists():  # found in common/, or an error anyway
                continue
            if role:
                files[included] = _read(file, role)
                waiting.append(included)
            elif not _is_the_labs(posixpath.normpath(f"{folder.name}/{included}")):
                raise LabError(
                    f'{folder.name}/{name} includes "{included}", which is not handed in: '
                    f"make it a header (.hpp, .cuh, .h) in {folder.name}"
                )
    return files


def is_untouched(file: File, folder: Path) -> bool:
    """Whether the class is as handed out, or empty."""
    words = " ".join(file.code.split())
    return is_given_mine(folder, file.code) or bool(_EMPTY_CLASS.search(words))


def _notes_on(part: str, files: Mapping[str, File], untouched: Iterable[str]) -> Iterator[str]:
    for name in untouched:
        yield f"{part}: {name} computes as naive does: nothing in it is yours"
    if "worksheet.hpp" in files:
        still_open = _NOT_ANSWERED.findall(files["worksheet.hpp"].code)
        if still_open:
            named = ", ".join(still_open[:_MOST_NAMED])
            more = len(still_open) - _MOST_NAMED
            named += f" and {more} more" if more > 0 else ""
            count = plural(len(still_open), "answer")
            yield f"{part}: worksheet.hpp: {count} still open: {named}"
    if "notebook.csv" not in files or len(files["notebook.csv"].content.splitlines()) < 2:
        yield f"{part}: the notebook has no rows: ./lab try writes them"


def collect(folders: Iterable[Path]) -> Submission:
    """What all parts hand in. A part without names, answers and code was never begun and is left out."""
    found = Submission()
    for folder in folders:
        part, files = folder.name.split("_")[0], _read_part(folder)
        code = [name for name, file in files.items() if file.role.name == "code"]
        untouched = [name for name in code if is_untouched(files[name], folder)]
        authors = authors_in(files["worksheet.hpp"].code) if "worksheet.hpp" in files else ""
        if not (len(code) > len(untouched) or authors or "notebook.csv" in files):
            found.notes.append(f"{part}: not started, so not in the archive")
            continue
        if not authors:
            raise LabError(
                f"{folder.name}/worksheet.hpp has no names: write them there first, "
                'question 0: authors = "Ada Lovelace";'
            )
        if authors not in found.authors:
            found.authors.append(authors)
        found.versions += [(part, name.split(".")[0]) for name in code if name not in untouched]
        found.notes += _notes_on(part, files, untouched)
        found.files.update((f"{folder.name}/{name}", file) for name, file in files.items())
    return found
