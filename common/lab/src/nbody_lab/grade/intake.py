"""What was handed in: the submissions in the folder of a class, whatever platform wrote it, and the place of each file in
a clean tree. The parts of the lab are read from the tree, so that a new part needs no change here."""

import contextlib
import hashlib
import itertools
import os
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.building.handed_out import COPIES
from nbody_lab.core.clean_text import file_name, folded, in_one_line, printable
from nbody_lab.core.console import show
from nbody_lab.core.words import plural
from nbody_lab.grade import archives
from nbody_lab.grade.models import HandedIn, Ignored, JudgedWorksheet, Marks
from nbody_lab.handout.handed_in import role_of

# --- who handed in what ---

_MOODLE = re.compile(
    r"(?s)(?P<who>.+)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_(?P<inside>.*))?(?P<late>)"
)
_CANVAS = re.compile(
    r"(?s)(?P<who>[^_]+)_(?P<late>LATE_|late_)?(?P<id>\d{2,})_\d{2,}_(?P<inside>.+)"
)
_AGAIN = re.compile(r"-\d{1,2}(?=(\.\w+){0,2}$)")  # Canvas: mine-1.hpp is a later mine.hpp
_ARCHIVE = re.compile(r"(?i)(\.tar)?\.(zip|tar|gz|tgz|bz2|xz|rar|7z)$")
# Beside submissions lie an instructor's lists and notes, and what desktops leave.
_LISTS, _LEFT_BEHIND = re.compile(r"(?i).*\.(csv|json|txt|md|log)"), re.compile(r"\..*|__MACOSX")


class Submission(NamedTuple):
    who: HandedIn  # without a checksum, which takes long; its name is unique, an ASCII file name
    files: Sequence[tuple[Path, str]] = ()  # with the names that they were handed in by

    @property
    def name(self) -> str:
        return self.who.name


def find_submissions(class_folder: Path) -> list[Submission]:
    """Sorted by name; reads only the first bytes of files. Raises OSError for a missing folder."""
    students: dict[tuple[re.Pattern[str] | None, str], Submission] = {}
    for path in sorted(class_folder.iterdir(), key=os.fsencode):
        name, is_folder = path.name, path.is_dir()
        moodle = _MOODLE.fullmatch(name)
        told = moodle or (None if is_folder else _CANVAS.fullmatch(name))
        is_list = not is_folder and _LISTS.fullmatch(name)
        if not told and (is_list or _LEFT_BEHIND.fullmatch(name)):
            continue
        who = HandedIn(
            name=file_name(told["who"] if told else name if is_folder else _ARCHIVE.sub("", name)),
            authors=(moodle["who"],) if moodle else (),
            student_id=told["id"] if told else "",
            source=name,
            late=bool(told and told["late"]),
        )
        inside = (told and told["inside"]) or name
        files = [(path, _AGAIN.sub("", inside) if told and not moodle else inside)]
        key = (told.re if told else None, who.student_id or name)
        if before := students.get(key):  # another file of the same student
            files = [*before.files, *files]
            who = before.who.model_copy(update={"late": before.who.late or who.late})
        students[key] = Submission(who, files)
    names = Counter(one.name for one in students.values())
    unique: dict[str, Submission] = {}
    for one in students.values():
        name = one.name
        while not name or names[name] > 1 or name in unique:
            spelled = f"{one.who.source}{name}".encode("utf-8", "surrogateescape")
            tail = one.who.student_id or hashlib.sha256(spelled).hexdigest()[:4]
            name = f"{name or 'student'}_{tail}"
        unique[name] = one._replace(who=one.who.model_copy(update={"name": name}))
    return [unique[name] for name in sorted(unique)]


def checksum(submission: Submission) -> str:
    """ "sha256:..." of what was handed in. Of a file that is too large to be used only the beginning counts."""
    found = []
    for path, _ in submission.files:
        for file in archives.files_below(path) if archives.kind_of(path) == "folder" else [path]:
            with contextlib.suppress(OSError):  # a link, or what may not be read
                digest = hashlib.sha256(archives.read_plain(file, archives.LARGEST)).hexdigest()
                found.append((str(file.relative_to(path.parent)), digest))
    return "sha256:" + hashlib.sha256(repr(found).encode()).hexdigest()


# --- whose it is: the names in its worksheets count; without any, the platform's ---

Person = frozenset[str]
_BETWEEN = re.compile(r"\s*(?:[,;&/+\n]|\band\b|\bund\b|\bet\b)\s*")
_MOST, _LONGEST = 10, 80


def person(name: str) -> Person:
    """The words of a name: the same for "Anna Smith", "Smith Anna" and "SMITH, Anná"."""
    return frozenset(re.findall(r"[^\W_]+", folded(name)))


def identified(who: HandedIn, sheets: Iterable[JudgedWorksheet | None]) -> tuple[HandedIn, str]:
    """(with its authors, each once in the first spelling; what a person should look at)"""
    found: dict[Person, str] = {}
    for part in _BETWEEN.split(", ".join(sheet.authors for sheet in sheets if sheet)[:1000]):
        name = " ".join(printable(part).split())[:_LONGEST].strip()
        found.setdefault(person(name), name)
    found.pop(frozenset(), None)
    authors = list(found.values())[:_MOST]
    told = [name for name in who.authors if name != "Participant"]  # of blind marking
    # With or without a middle name or a group's name in front.
    fits = any(person(name) <= words or person(name) >= words for name in told for words in found)
    who = who.model_copy(update={"authors": tuple(authors)}) if authors else who
    if fits or not (told and authors):
        return who, ""
    return who, f"handed in by {', '.join(told)}, but the worksheet names {', '.join(authors)}"


def submissions_of(everybody: Iterable[HandedIn | Marks]) -> dict[Person, list[str]]:
    """{author: names of submissions}. In several, which of them counts is for a person to decide."""
    found: dict[Person, list[str]] = defaultdict(list)
    for one in everybody:
        for author in {person(author) for author in one.authors} - {frozenset()}:
            found[author].append(one.name)
    return found


# --- the places of files ---


class Part(NamedTuple):
    name: str  # "part1"
    folder: str  # "part1_standard_opti"
    root: Path  # the lab's tree
    given: frozenset[str]  # names of the files in the folder
    header: str  # the extension of mine, ".hpp" or ".cuh"

    def role_of(self, name: str) -> str:
        """The role of a file in the part's folder, whose name is then harmless; "" for one that is not collected."""
        role = role_of(name)
        is_safe = re.fullmatch(r"(notebook/)?[\w+-]+\.\w+", name, re.ASCII)
        if not role or not is_safe or (role.name == "header" and name in self.given):
            return ""
        is_built = role.name != "code" or re.fullmatch(rf"\w+\{self.header}", name)
        return role.name if is_built else ""


def part_folders(root: Path) -> list[Part]:
    """In order."""
    parts = []
    for folder in sorted(root.glob("part*_*/")):
        if (folder / "CMakeLists.txt").is_file():
            given = frozenset(one.name for one in folder.iterdir() if one.is_file())
            header = ".cuh" if "naive.cuh" in given else ".hpp"
            parts.append(Part(folder.name.split("_")[0], folder.name, root, given, header))
    return parts


class Place(NamedTuple):
    part: Part
    name: str  # in its folder
    role: str

    @property
    def target(self) -> str:
        return f"{self.part.folder}/{self.name}"


class Taken(NamedTuple):
    files: Mapping[str, Path]  # {"part1_standard_opti/mine.hpp": Path}, to be built
    ignored: Sequence[Ignored] = ()
    unclear: Mapping[Place, str] = {}  # what is missing, but for a reason that a person looks at
    problems: Sequence[str] = ()  # why a submission cannot be read: all that is missing is unclear

    @property
    def questions(self) -> list[str]:
        """What a person is asked about files."""
        return list(dict.fromkeys(self.unclear.values()))


_MOST_FILES, _MOST_BYTES = 1000, 32 << 20  # that are taken of a submission
_NOT_ASKED, _ELSEWHERE = "not a file to hand in", "belongs to a part that was not requested"
# By role: the file to hand in, and how another may be called that was meant to be it.
_ALIKE = {
    "code": ("mine{}", r"(?i)(?!worksheet).*\.(cpp|cc|cxx|c|cu|h|hh|hxx|hpp|cuh)(\.txt)?"),
    "worksheet": ("worksheet.hpp", r"(?i)worksheet.*"),
    "notebook": ("notebook.csv", r"(?i)notebook.*\.csv"),
}


def _find_places(
    words: Sequence[str], parts: Sequence[Part], every_part: Sequence[Part]
) -> tuple[Part | None, list[Place], str]:
    """(the part in whose folder a file lies, where it may go, why it is not used): by its exact place, with any folders
    above the part's; else by its name, if only one part has such a file."""
    called = {alias: part for part in every_part for alias in (part.name, part.folder)}
    inside = [k for k, word in enumerate(words[:-1]) if word.casefold() in called]
    part = called[words[inside[-1]].casefold()] if inside else None
    name = "/".join(words[inside[-1] + 1 :]) if inside else words[-1]
    if part and part not in parts:
        return part, [], _ELSEWHERE
    choice = [part] if part else parts
    places = [Place(one, name, role) for one in choice if (role := one.role_of(name))]
    if len(choice) > 1:  # any part may have any header
        places = [one for one in places if one.role != "header"]
    with contextlib.suppress(OSError, ValueError):  # no file of the lab has such a name
        is_known = ".." in words or (part and places)
        tails = () if is_known else ("/".join(words[k:]) for k in range(len(words)))
        is_labs = "solutions" in words or COPIES in "/".join(words)
        if is_labs or any((every_part[0].root / one).is_file() for one in tails):
            return part, [], "belongs to the lab"
    if len(places) > 1:
        folder = f"{places[0].part.folder}/"
        return None, places, f"which part is it for? Put it into that part's folder, as {folder}"
    return part, places, "" if places else _NOT_ASKED


def take_in(
    submission: Submission, folder: Path, asked: Collection[str], every_part: Sequence[Part]
) -> Taken:
    """Writes the files of the `asked` parts into `folder`, OUT/taken/NAME, which must be new or empty, and nothing
    elsewhere. Raises OSError if it cannot write, which is not the student's fault."""
    parts = [part for part in every_part if part.name in asked]
    found: dict[Place, set[bytes]] = defaultdict(set)  # the versions of each file
    unclear: dict[Place, str] = {}
    ignored: list[Ignored] = []
    unused: list[tuple[Part | None, str]] = []  # with the part in whose folder it lies
    problems: list[str] = []
    left, given = _MOST_BYTES, (archives.members(*one) for one in submission.files)
    try:
        for member in itertools.chain.from_iterable(given):
            name = printable(member.name)
            words = [word for word in re.split(r"[/\\]", member.name) if word not in ("", ".")]
            words = words[-8:] or [""]  # no file of the lab lies deeper
            part, places, why = _find_places(words, parts, every_part)
            role = None if why else role_of(places[0].name)
            if role:
                try:
                    content = member.read(role.largest_bytes + 1)
                except archives.BROKEN as fault:
                    content, why = b"", in_one_line(f"cannot be read: {fault}")
                left -= len(content)
                if left < 0 or len(found) > _MOST_FILES:
                    most = f"{_MOST_FILES} files or {_MOST_BYTES >> 20} MB"
                    raise archives.Refused(f"more than {most} would have to be graded")
                if len(content) > role.largest_bytes:
                    why = f"is larger than {role.largest_bytes // 1000} kB"
                elif not content and role.name in _ALIKE:
                    why = why or "is empty"
                if not why:
                    found[places[0]].add(content)
            if why:
                ignored.append(Ignored(file=name, why=why))
                unclear |= {one: f"{name}: {why}" for one in places if one.role != "kept"}
            if why == _NOT_ASKED or (role and role.name == "header"):
                unused.append((part, name))
            if why == _NOT_ASKED and _ARCHIVE.search(name):
                kind = "file"
                with contextlib.suppress(*archives.BROKEN):
                    kind = archives.kind_of_bytes(member.read(512))
                inside = "an archive inside an archive is not opened"
                problems.append(f"{name}: {'no zip or tar(.gz)' if kind == 'file' else inside}")
    except archives.Refused as fault:  # else a part of it would be graded as if it were all
        return Taken({}, problems=[str(fault)])

    unclear = {place: why for place, why in unclear.items() if place not in found}
    files = {}
    for place, versions in sorted(found.items(), key=lambda one: one[0].target):
        if len(versions) > 1:
            unclear[place] = f"{len(versions)} versions of {place.target}: which one? None was used"
            continue
        target = folder / place.target
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(*versions)
        if place.role != "kept":
            files[place.target] = target

    def is_given(place: Place) -> bool:
        given = place.part.root / place.target
        return given.is_file() and found.get(place) == {given.read_bytes()}

    for part in parts:  # of which a file may be there under another name
        own = [one for one in (*found, *unclear) if one.part == part]
        others = [name for where, name in unused if where == part or (own and not where)]
        for role_name, (name, pattern) in _ALIKE.items():
            name = name.format(part.header)
            same = [one for one in own if one.name == name or one.role == role_name == "code"]
            alike = [one for one in others if re.fullmatch(pattern, Path(one).name)]
            if alike and all(map(is_given, same)):
                missing = f"{name} of {part.name} is missing, or as it was given"
                why = f"{missing}: was it meant to be {' or '.join(alike[:3])}?"
                unclear[Place(part, name, role_name)] = why
    if not (files or unclear or any(one.why == _ELSEWHERE for one in ignored)):
        none = "no file in it is one that is handed in"
        problems.append(none if ignored else "the upload is empty: there is no file in it")
    ignored.sort(key=lambda one: one.file)
    return Taken(files, ignored, unclear, problems)


def list_class(
    submissions: Sequence[Submission],
    asked: Collection[str],
    every_part: Sequence[Part],
    in_full: bool,
) -> None:
    """Shows whose files are taken, and what a person should look at; `in_full`: also what is ignored."""
    for one in submissions:
        with tempfile.TemporaryDirectory() as folder:
            taken = take_in(one, Path(folder), asked, every_part)
        who = one.name + "".join(f" ({author})" for author in one.who.authors)
        show(in_one_line(f"{who}: {', '.join(taken.files) or 'nothing'}"))
        show(*(f"  for a person: {why}" for why in (*taken.problems, *taken.questions)))
        show(*(f"  {file.file}: {file.why}" for file in taken.ignored if in_full))
    show(f"{plural(len(submissions), 'submission')}; nothing was run")
