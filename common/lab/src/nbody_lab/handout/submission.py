"""Finds and reads what a student's tree hands in, and judges it as text; nothing is compiled or run here."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nbody_lab.build.handed_out import NO_CODE, is_given_mine
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import plural
from nbody_lab.handout.handed_in import Role, role_of
from nbody_lab.tasks.next_task import find_empty_sections

_AUTHORS = re.compile(r'\bauthors\s*=\s*"((?:[^"\\\n]|\\.)*)"')
_CHOSEN = re.compile(r'\bmine\s*=\s*"(\w+)"')
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.M)
_NOT_ANSWERED = re.compile(r'\b(\w+)\s*=\s*(?:unanswered|no_choice|"")\s*[,;]')
_NOTHING_OF_YOURS = re.compile(r"class Mine : public Naive \{ public: using Naive::Naive; \};")
_MOST_NAMED = 4


class Version(NamedTuple):
    """An implementation that the student changed."""

    part: str
    name: str
    is_chosen: bool  # by the worksheet, whose questions are about it


@dataclass
class Submission:
    files: dict[str, bytes] = field(default_factory=dict)  # by path from the root
    notes: list[str] = field(default_factory=list)  # what a grader would miss
    versions: list[Version] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)  # of each worksheet, without duplicates


def _decode(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _strip_comments(text: str) -> str:
    """String literals stay."""
    return NO_CODE.sub(lambda match: match[1] or " ", text)


def authors_in(worksheet: str) -> str:
    """The authors in the text of a worksheet.hpp; empty if there are none."""
    found = _AUTHORS.search(_strip_comments(worksheet))
    return " ".join(re.sub(r"\\(.)", r"\1", found[1]).split()) if found else ""


def _read(file: Path, role: Role) -> bytes:
    """Refuses files that a grader would not accept."""
    if file.is_symlink() or not file.is_file():
        raise LabError(f"{file}: is not a plain file: put the file itself there")
    content = file.read_bytes()
    if len(content) > role.largest_bytes:
        raise LabError(
            f"{file}: has {len(content)} bytes, but at most {role.largest_bytes} are allowed"
        )
    return content


def _read_included_headers(folder: Path, contents: Iterable[bytes]) -> dict[str, bytes]:
    """The student's own headers that these texts include, directly or indirectly."""
    found: dict[str, bytes] = {}
    waiting = list(contents)
    while waiting:
        for name in _INCLUDE.findall(_decode(waiting.pop())):
            role = role_of(name)
            if role and role.name == "header" and name not in found and (folder / name).exists():
                found[name] = _read(folder / name, role)
                waiting.append(found[name])
    return found


def _read_part(folder: Path) -> dict[str, bytes]:
    """All that the part hands in."""
    found = {}
    for file in sorted([*folder.iterdir(), *folder.glob("notebook/*")]):
        name = file.relative_to(folder).as_posix()
        role = role_of(name)
        if role and role.name != "header":
            found[name] = _read(file, role)
    code = [content for name, content in found.items() if _is_code(name)]
    return {**found, **_read_included_headers(folder, code)}


def _is_code(name: str) -> bool:
    role = role_of(name)
    return role is not None and role.name == "code"


def is_untouched(content: bytes, folder: Path) -> bool:
    """Whether the class is as handed out, or empty."""
    words = " ".join(_strip_comments(_decode(content)).split())
    return is_given_mine(folder, _decode(content)) or bool(_NOTHING_OF_YOURS.search(words))


def _list_first(names: Sequence[str], separator: str) -> str:
    more = len(names) - _MOST_NAMED
    first = separator.join(names[:_MOST_NAMED])
    return first + (f" and {more} more" if more > 0 else "")


def _notes_on(part: str, files: Mapping[str, bytes], untouched: Iterable[str]) -> Iterator[str]:
    """Warnings about what a grader would miss."""
    for name in untouched:
        yield f"{part}: {name} computes as naive does: nothing in it is yours"
    if "worksheet.hpp" not in files:
        yield f"{part}: there is no worksheet.hpp"
    worksheet = _strip_comments(_decode(files.get("worksheet.hpp", b"")))
    open_answers = _NOT_ANSWERED.findall(worksheet)
    if open_answers:
        count = plural(len(open_answers), "answer")
        yield f"{part}: worksheet.hpp: {count} still open: {_list_first(open_answers, ', ')}"
    empty = find_empty_sections(_decode(files.get("NOTEBOOK.md", b"")))
    if empty:
        yield f"{part}: NOTEBOOK.md: nothing written yet: {_list_first(empty, '; ')}"
    if len(_decode(files.get("notebook.csv", b"")).splitlines()) < 2:
        yield f"{part}: the notebook has no rows: ./lab try writes them"


def collect(folders: Iterable[Path]) -> Submission:
    """What all parts hand in. A part without names, answers and code was never begun and is left out."""
    found = Submission()
    for folder in folders:
        part, files = folder.name.split("_")[0], _read_part(folder)
        code = [name for name in files if _is_code(name)]
        untouched = [name for name in code if is_untouched(files[name], folder)]
        worksheet = _decode(files.get("worksheet.hpp", b""))
        authors = authors_in(worksheet)
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
        chosen = _CHOSEN.findall(_strip_comments(worksheet))
        names = [name.rsplit(".", 1)[0] for name in code if name not in untouched]
        found.versions += [Version(part, name, name in chosen) for name in names]
        found.notes += _notes_on(part, files, untouched)
        found.files.update((f"{folder.name}/{name}", content) for name, content in files.items())
    return found
