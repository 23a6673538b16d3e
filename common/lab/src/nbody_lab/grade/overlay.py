"""Which files of a submission are taken, where they go in a clean tree, and why the others are ignored. The parts of
the lab are read from the tree, so that a new part needs no change here."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from nbody_lab.grade.archives import Found, digest_of, files_below
from nbody_lab.grade.models import Ignored
from nbody_lab.handout.handed_in import ROLES, role_of

_MOST = {"code": 24, "header": 32, "kept": 200}  # per part
_HEADER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_+-]*\.(hpp|cuh|h)", re.ASCII)
_KEPT = re.compile(r"(\d{3,6})_mine\w*\.(hpp|cuh)", re.ASCII)
_ALMOST_MINE = re.compile(r"mine\.(cpp|cc|cxx|c|cu|h|hh|hxx|h\+\+|hpp\.txt|cuh\.txt|txt)", re.I)
_ALMOST = (  # and the file that each was perhaps meant to be
    (re.compile(r"worksheet.*\.(hpp|h|cpp|txt)", re.I), "worksheet.hpp"),
    (re.compile(r"notebook.*\.csv", re.I), "notebook.csv"),
)
_SOURCE = re.compile(r".*\.(cpp|cc|cxx|c|cu|h|hh|hxx|h\+\+|hpp|cuh)", re.I)
REQUEST = re.compile(r"(?i)(?:.*/)?regrade[^/]*\.(?:txt|md)")  # asks for a new look
_LABS, _NOT_ASKED = "belongs to the lab", "not a file to hand in"
_ELSEWHERE = "belongs to a part that was not requested"
_NEVER_EMPTY = ("code", "worksheet", "notebook")
_PLAIN_FILES = [
    pattern
    for role in ROLES
    if role.name in ("flags", "worksheet", "notebook")
    for pattern in role.patterns
]


class Part(NamedTuple):
    name: str  # "part1"
    folder: str  # "part1_standard_opti"
    root: Path  # the lab's tree
    given: frozenset[str]  # names of the files in the folder
    header: str  # the extension of mine, ".hpp" or ".cuh"

    def role_of(self, name: str) -> str:
        """The role in handed_in.py, or "" for a file that this part does not collect."""
        role = role_of(name)
        if not role:
            return ""
        if role.name == "code":
            is_ours = re.fullmatch(rf"mine(_[A-Za-z0-9_]+)?\{self.header}", name, re.ASCII)
            return role.name if is_ours else ""
        if role.name == "header":
            is_mine = name.startswith("mine") or name.casefold().startswith("mine.")
            is_own = _HEADER.fullmatch(name) and name not in self.given
            return role.name if is_own and not is_mine else ""
        return role.name

    def spell(self, name: str) -> str:
        """The name as it is in the lab, if it differs only in case: a file system may have changed it."""
        names = (*_PLAIN_FILES, f"mine{self.header}")
        return next((right for right in names if name.casefold() == right.casefold()), name)


def part_folders(root: Path) -> list[Part]:
    """In order."""
    parts = []
    for folder in sorted(root.glob("part*_*/")):
        if (folder / "CMakeLists.txt").is_file():
            given = frozenset(one.name for one in folder.iterdir() if one.is_file())
            header = ".cuh" if "naive.cuh" in given else ".hpp"
            parts.append(Part(folder.name.split("_")[0], folder.name, root, given, header))
    return parts


def _find_part(parts: Sequence[Part], word: str) -> Part | None:
    """The part called "part1_standard_opti", "part1" or "Part 1"."""

    def squeeze(text: str) -> str:
        return re.sub(r"[^a-z0-9]", "", text.casefold())

    return next(
        (part for part in parts if squeeze(word) in (squeeze(part.folder), squeeze(part.name))),
        None,
    )


class Place(NamedTuple):
    """Where a file would go; or the reason to ignore it."""

    part: Part | None = None
    name: str = ""  # in that folder
    role: str = ""
    why: str = ""

    @property
    def target(self) -> str:
        assert self.part
        return f"{self.part.folder}/{self.name}"


class Taken(NamedTuple):
    files: Mapping[str, Path]  # {"part1_standard_opti/mine.hpp": Path}
    ignored: Sequence[Ignored] = ()
    # Sources kept by a notebook, {"part1_standard_opti/notebook/003_mine.hpp": Path}: evidence that is never built.
    kept: Mapping[str, Path] = {}
    # And why none of the files that may be meant was taken: for a person.
    unclear: Sequence[Place] = ()

    def questions(self, told: Sequence[str]) -> list[str]:
        """What a person is asked about files, but for what was told already."""
        whys = dict.fromkeys(one.why for one in self.unclear)
        return [why for why in whys if why not in told]

    @property
    def why_nothing(self) -> str:
        """Why nothing in files that were handed in is graded, if it is likely an accident; else empty."""
        found = any(one.why == _ELSEWHERE for one in self.ignored) or self.files or self.unclear
        return "" if found or not self.ignored else "no file in it is one that is handed in"


NOTHING = Taken({})


def _is_labs(parts: Sequence[Part], words: Sequence[str]) -> bool:
    """Whether the clean tree contains it, in whatever folder the student's tree lies."""
    try:
        return any((parts[0].root / Path(*words[k:])).is_file() for k in range(len(words)))
    except (OSError, ValueError):
        return False


def _place_in_part(part: Part, words: Sequence[str]) -> Place:
    """`words`: the path relative to the part's folder."""
    if len(words) == 2 and words[0] == "notebook" and _KEPT.fullmatch(words[1]):
        return Place(part, "/".join(words), "kept")
    name = part.spell(words[0])
    role = part.role_of(name) if len(words) == 1 else ""
    if role:
        return Place(part, name, role)
    is_given = (part.root / part.folder / Path(*words)).is_file()
    return Place(why=_LABS if is_given else _NOT_ASKED)


def _place_flat(parts: Sequence[Part], name: str) -> Place:
    """A file outside any part's folder: part1_mine.hpp, or mine.hpp if only one part is possible."""
    prefix = re.fullmatch(r"(part\d+)[_-](.+)", name)
    named = _find_part(parts, prefix[1]) if prefix else None
    if prefix and named:
        return _place_in_part(named, [prefix[2]])
    roles = {part: role for part in parts if (role := part.role_of(part.spell(name)))}
    first = next(iter(roles), None)
    if first and len(roles) == 1 and (len(parts) == 1 or roles[first] == "code"):
        return _place_in_part(first, [name])
    if first and {"code", "flags", "worksheet", "notebook"} & set(roles.values()):
        folder = f"{first.folder}/"
        return Place(why=f"which part is it for? Put it into that part's folder, such as {folder}")
    return Place(why=_NOT_ASKED)


def _find_place(
    parts: Sequence[Part], every_part: Sequence[Part], words: Sequence[str], depth: int
) -> Place:
    """`depth`: number of folders around all files."""
    for k in range(len(words) - 2, -1, -1):
        part = _find_part(every_part, words[k])
        if part and k and words[k - 1] == "solutions":
            return Place(why=_LABS)
        if part and part not in parts:
            return Place(why=_ELSEWHERE)
        if part:
            return _place_in_part(part, words[k + 1 :])
    if len(words) == depth + 1:
        found = _place_flat(parts, words[-1])
        if found.part or found.why != _NOT_ASKED:
            return found
    return Place(why=_LABS if _is_labs(every_part, words) else _NOT_ASKED)


def _common_depth(names: Sequence[str]) -> int:
    """The number of folders around everything, which archives often have."""
    folders = [name.split("/")[:-1] for name in names]
    return sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, zip(*folders)))


def _why_refused(found: Found, place: Place) -> str:
    if found.why:
        return "a link" if "link" in found.why else "not a regular file"
    role = role_of(place.name)
    if place.why or not role:
        return place.why
    size = found.path.lstat().st_size
    if place.role in _NEVER_EMPTY and not size:
        return "is empty"
    return f"larger than {role.largest_bytes // 1000} kB" if size > role.largest_bytes else ""


def _almost(parts: Sequence[Part], name: str) -> Place | None:
    """The file that one like mine.cpp or "worksheet (1).hpp" was perhaps meant to be."""
    folder, _, last = name.rpartition("/")
    part = _find_part(parts, folder.rpartition("/")[2])
    if not part and len(parts) == 1:
        part = parts[0]
    if not part:
        return None
    if _ALMOST_MINE.fullmatch(last):
        return Place(part, f"mine{part.header}", "code")
    meant = next((right for pattern, right in _ALMOST if pattern.fullmatch(last)), "")
    return _place_in_part(part, [meant]) if meant and meant != part.spell(last) else None


def _is_given(place: Place, path: Path) -> bool:
    assert place.part
    given = place.part.root / place.target
    return given.is_file() and digest_of(given) == digest_of(path)


@dataclass
class _Sorted:
    """The files of a submission by what they may be for."""

    candidates: dict[Place, list[Found]] = field(default_factory=lambda: defaultdict(list))
    ignored: list[Ignored] = field(default_factory=list)
    unclear: dict[Place, str] = field(default_factory=dict)
    # Sources without a role, in their order.
    unused: dict[tuple[Part | None, str], None] = field(default_factory=dict)


def _sort(
    files: Sequence[Found], parts: Sequence[Part], every_part: Sequence[Part], depth: int
) -> _Sorted:
    found = _Sorted()
    for file in files:
        words = file.name.split("/")
        place = _find_place(parts, every_part, words, depth)
        why = _why_refused(file, place)
        meant = _almost(parts, file.name)
        if not why:
            found.candidates[place].append(file)
            if meant and place.role == "header":
                found.unclear[meant] = f"{file.name}: was it meant to be {meant.name}?"
            elif place.role == "header":
                found.unused[place.part, place.name] = None
            continue
        if REQUEST.fullmatch(file.name):
            why = "asks for a new look: a person reads it"
        found.ignored.append(Ignored(file=file.name, why=why))
        if place.role and place.role != "kept":
            found.unclear[place] = f"{file.name}: {why}"
        if meant:
            found.unclear[meant] = f"{file.name}: {why}; was it meant to be {meant.name}?"
        elif why == _NOT_ASKED and _SOURCE.fullmatch(file.name) and "notebook" not in words:
            inside = [k for k, word in enumerate(words) if _find_part(every_part, word)]
            first = inside[-1] if inside else -1
            part = _find_part(every_part, words[first]) if inside else None
            found.unused[part, "/".join(words[first + 1 :])] = None
    return found


def _why_unused(part: Part, found: _Sorted) -> str:
    """What a person is asked about sources that no program uses, where a student has no version of his own; else empty."""
    own = [
        (place, one.path)
        for place, ones in found.candidates.items()
        for one in ones
        if place.part == part
    ]
    codes = [one for one in own if one[0].role == "code"]
    names = [name for where, name in found.unused if where == part or (own and not where)]
    if not names or not all(_is_given(*one) for one in codes):
        return ""
    mine = f"mine{part.header}"
    known = f"{mine} is unchanged" if codes else f"no mine*{part.header} was handed in"
    one = len(names) == 1
    return (
        f"{known}, and {', '.join(names[:3])} {'is' if one else 'are'} not used: "
        f"{'is it' if one else 'is one of them'} meant to be {mine}?"
    )


_ONE_OF_EACH = ("worksheet.hpp", "notebook.csv")  # that each part judges, beside the code


def _missing(parts: Sequence[Part], places: Collection[Place]) -> Iterator[Place]:
    """What an archive that was cut off may have held."""
    there = {(place.part, place.role) for place in places}
    for part in parts:
        if (part, "code") not in there:
            yield Place(part, f"mine{part.header}", "code")
        for name in _ONE_OF_EACH:
            place = _place_in_part(part, [name])
            if place not in places:
                yield place


def take(
    folder: Path,
    parts: Sequence[Part],
    every_part: Sequence[Part] | None = None,
    lost: Mapping[str, str] = {},
    cut: str = "",
) -> Taken:
    """Takes the files of an unpacked submission. `parts`: the requested ones; `every_part`: all of the lab; `lost` and
    `cut`: what could not be unpacked."""
    files, every_part = list(files_below(folder)), every_part or parts
    depth = _common_depth([*(found.name for found in files), *lost])
    sorted_ = _sort(files, parts, every_part, depth)
    candidates, ignored, unclear = sorted_.candidates, sorted_.ignored, sorted_.unclear
    if candidates:  # else nothing can be graded, which is said of the whole submission
        for name, why in lost.items():
            place = _find_place(parts, every_part, name.split("/"), depth)
            if place.role and place.role != "kept":
                unclear[place] = why
        unclear |= dict.fromkeys(_missing(parts, candidates) if cut else (), cut)
    unclear = {place: why for place, why in unclear.items() if place not in candidates}
    asked = {place.part for place in unclear if place.role == "code"}
    for part in parts:
        if part not in asked and (why := _why_unused(part, sorted_)):
            unclear[Place(part, f"mine{part.header}", "code")] = why
    taken: dict[str, Path] = {}
    kept: dict[str, Path] = {}
    counts: Counter[tuple[Part | None, str]] = Counter()
    for place, versions in sorted(candidates.items(), key=lambda one: one[0].target):
        first, target = versions[0], place.target
        counts[place.part, place.role] += 1
        most = _MOST.get(place.role, 1000)
        if counts[place.part, place.role] > most:
            why, others = f"more than {most} such files", versions
        elif len({digest_of(found.path) for found in versions}) > 1:
            why = f"{len(versions)} versions of {target} that differ: which one? None was used"
            unclear[place], others = why, versions
        else:
            why, others = f"the same as {first.name}", versions[1:]
            (kept if place.role == "kept" else taken)[target] = first.path
        ignored += [Ignored(file=found.name, why=why) for found in others]
    ignored.sort(key=lambda one: one.file)
    return Taken(taken, ignored, kept, [one._replace(why=why) for one, why in unclear.items()])


def store(taken: Taken, folder: Path) -> None:
    """Copies what was taken and kept into `folder`, OUT/taken/NAME, for evidence.py."""
    for target, path in [*taken.files.items(), *taken.kept.items()]:
        place = folder / target
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
