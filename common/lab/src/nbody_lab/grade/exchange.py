"""--exchange: students read each other's passing versions, without names. Reads the measurements, runs nothing."""

import json
import os
import random
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError, say
from nbody_lab.core.whole_file import why_not_writable, write_bytes
from nbody_lab.core.words import plural
from nbody_lab.grade.identity import Names, remove_author, without_comments
from nbody_lab.grade.kept import read_record
from nbody_lab.grade.models import Record
from nbody_lab.grade.overlay import Part, part_folders
from nbody_lab.handout.archive import Member, pack_zip
from nbody_lab.notebook.file import shown

# The text files in an exchange archive: how to run the versions, and the questions to answer.
_HEAD = """# Reading others' code

Others handed in these versions, and they passed the check. Their authors are not named; please do not try to find out.
Answer three questions about each version, a few sentences for each. Write about the code, never about the person.

Read each version first. Then copy all of them beside your own; here the archive was unpacked in your home folder:
"""

_PART = """
    cp ~/reading/{folder}/* {folder}/
"""

_VERSION = """
## {part}, version {letter}

    echo 'mine_read_{letter}: {flags}' >> {folder}/flags.txt
    ./lab check {part} mine_read_{letter}
    ./lab bench {part} mine mine_read_{letter}

1. **What does it save?** Name one operation, memory access or wait that your version has and this one does not, or the
   other way round. Give the line.

2. **Predict, then measure.** How many times as fast as yours is it on your machine? Write down your prediction before
   you run `bench`, then the result. If they differ, why?

3. **Say something useful.** One thing that you would take over, and one question or suggestion for the author.
"""

_END = """
Afterwards delete `mine_read_*` and `read_*`, and their lines in `flags.txt`: `./lab submit` packs every version that
lies there.
"""

_MOST_READINGS = 10
_HEADERS = (".hpp", ".cuh", ".h")


@dataclass(frozen=True)
class Version:
    """A version that others read."""

    who: str
    source: str
    flags: str


Readings = Mapping[str, Sequence[Version]]  # by the submission that reads them


# --- who reads whom ---


def deal(
    readers: Iterable[str], writers: Iterable[str], readings: int, seed: str
) -> dict[str, list[str]]:
    """Different writers for each reader, never themselves. Writers who read sit in a ring and read the next ones; the
    remaining readers continue around the ring. So no writer is read more than once more often than another."""
    reading, ring = set(readers), sorted(set(writers))
    if len(ring) < readings or (len(ring) == readings and reading & set(ring)):
        verb = "is" if len(ring) == 1 else "are"
        raise UserError(
            f"{readings} readings each need {readings + 1} versions that passed, there {verb} {len(ring)}"
        )
    draw = random.Random(seed)
    draw.shuffle(ring)
    others = sorted(reading - set(ring))
    draw.shuffle(others)
    starts = {who: place + 1 for place, who in enumerate(ring) if who in reading}
    starts |= {who: number * readings for number, who in enumerate(others)}
    return {
        who: [ring[(start + turn) % len(ring)] for turn in range(readings)]
        for who, start in starts.items()
    }


def _best_version(record: Record, part: Part) -> Version | None:
    """The fastest row that passed and was changed."""
    rows = [
        row
        for row in (record.parts[part.name].rows if part.name in record.parts else ())
        if row.built and not row.untouched and row.check and row.check.verdict == "passed"
    ]

    def slowness(speeds: Sequence[float | None]) -> float:
        return -max((speed or 0 for speed in speeds), default=0)

    rows.sort(key=lambda row: (slowness([one.interactions_per_s for one in row.speed]), row.name))
    return Version(record.submission.name, rows[0].source, rows[0].flags) if rows else None


def _deal_part(
    part: Part, records: Sequence[Record], taken: Path, readings: int, seed: int
) -> Readings:
    versions = {
        record.submission.name: version
        for record in records
        if (version := _best_version(record, part))
    }
    readers = [
        record.submission.name
        for record in records
        if (taken / record.submission.name / part.folder).is_dir()
    ]
    if not readers:
        return {}
    try:
        found = deal(readers, versions, readings, f"{seed} {part.name}")
    except UserError as fault:
        raise UserError(f"{part.name}: {fault}") from fault
    return {who: [versions[one] for one in given] for who, given in found.items()}


# --- what they read ---


def _find_file(version: Version, taken: Path, part: Part) -> Path:
    file = taken / version.who / part.folder / version.source.rpartition("/")[2]
    if not file.is_file():
        raise UserError(
            f"{shown(file)} no longer exists: ./lab grade CLASS -o {shown(taken.parent)} measures it again"
        )
    return file


def _anonymous_files(
    path: Path, part: Part, letter: str, names: Names
) -> tuple[dict[str, str], list[str]]:
    """{name in the archive: text} of a version and the headers that it includes; identifiers that contain a name."""
    others = sorted(
        file.name
        for file in path.parent.iterdir()
        if file.suffix in _HEADERS and file.name not in (path.name, "worksheet.hpp")
    )
    called = {
        one: f"read_{letter}_header_{number}{Path(one).suffix}"
        for number, one in enumerate(others, 1)
    }
    called[path.name] = f"mine_read_{letter}{part.header}"
    found: dict[str, str] = {}
    wanted = [path.name]
    while wanted:  # and the headers that these include
        name = wanted.pop(0)
        text = (path.parent / name).read_bytes().decode("utf-8", "replace")
        found[called[name]] = remove_author(text, names, called)
        wanted += [
            one
            for one in others
            if f'{one}"' in text and called[one] not in found and one not in wanted
        ]
    words = {word for text in found.values() for word in names.left_in(without_comments(text))}
    return found, sorted(words)


def _write_read_me(versions: Sequence[tuple[Part, str, Version]]) -> str:
    folders = dict.fromkeys(part.folder for part, _, _ in versions)
    texts = [
        _VERSION.format(part=part.name, folder=part.folder, letter=letter, flags=version.flags)
        for part, letter, version in versions
    ]
    return "".join([_HEAD, *(_PART.format(folder=one) for one in folders), *texts, _END])


def _make_archives(
    readings: Sequence[tuple[Part, Readings]], taken: Path, records: Sequence[Record]
) -> tuple[dict[str, dict[str, Member]], list[str]]:
    """{reader: {path: Member}}, and what a person should look at."""
    everybody = [name for record in records for name in record.submission.authors]
    names = {
        one.name: Names([*one.authors, one.name.replace("_", " ")], one.student_id, everybody)
        for one in (record.submission for record in records)
    }
    archives: dict[str, dict[str, Member]] = {}
    listed: dict[str, list[tuple[Part, str, Version]]] = {}
    remarks = set()
    for part, given in readings:
        for reader, versions in given.items():
            for letter, one in zip(ascii_lowercase, versions):
                file = _find_file(one, taken, part)
                texts, left = _anonymous_files(file, part, letter, names[one.who])
                members = {
                    f"{part.folder}/{name}": Member(text.encode("utf-8"))
                    for name, text in texts.items()
                }
                archives.setdefault(reader, {}).update(members)
                listed.setdefault(reader, []).append((part, letter, one))
                if left:
                    found = ", ".join(left)
                    remarks.add(f"{one.who}: {one.source}: a name may stand in {found}")
    for reader, members in archives.items():
        members["README.md"] = Member(_write_read_me(listed[reader]).encode("utf-8"))
    return archives, sorted(remarks)


def _key_of(given: Readings) -> dict[str, object]:
    """Who reads whom, under which letter, and how often each version is read."""
    times = Counter(one.who for versions in given.values() for one in versions)
    return {
        "read": dict(sorted(times.items())),
        "readers": {
            reader: {
                letter: {"who": one.who, "source": one.source}
                for letter, one in zip(ascii_lowercase, versions)
            }
            for reader, versions in sorted(given.items())
        },
    }


# --- the command ---


def _read_records(graded: Path) -> list[Record]:
    files = sorted((graded / "measured").glob("*.json"))
    if not files:
        raise UserError(
            f"{shown(graded)} has no measured/*.json: the exchange takes only versions that passed, so grade first: "
            "./lab grade CLASS -o FOLDER"
        )
    records = []
    for file in files:
        try:
            records.append(read_record(file, file.stem))
        except UserError as fault:
            raise UserError(f"{shown(file)}: {fault}") from fault
    return records


def _require_empty(out: Path) -> None:
    if out.is_dir() and any(out.iterdir()):
        raise UserError(
            f"{out} is not empty: name a new folder, so that archives of two exchanges do not mix"
        )
    why = why_not_writable(out / "key.json")
    if why:
        raise UserError(f"{out}: {why}")


def _parts_called(names: Sequence[str]) -> list[Part]:
    parts = part_folders(ROOT)
    there = [part.name for part in parts]
    for name in names:
        if name not in there:
            raise UserError(f"--part: there is no '{name}'; there are {', '.join(there)}")
    return [part for part in parts if part.name in (names or there)]


def _open_for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _write_all(
    out: Path, archives: Mapping[str, Mapping[str, Member]], key: Mapping[str, object]
) -> None:
    """The key comes first: without it, nobody knows whose versions the archives hold."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "key.json", "x", opener=_open_for_owner, encoding="utf-8") as file:
        file.write(json.dumps(key, indent=1) + "\n")
    for reader, members in archives.items():
        write_bytes(out / f"{reader}.zip", pack_zip("reading", members))


def exchange(
    graded: Path, out: Path | None, parts: Sequence[str], readings: int, seed: int | None
) -> None:
    """Writes an archive for each student of the class graded there to `out`, and key.json for the instructor."""
    if not 1 <= readings <= _MOST_READINGS:
        raise UserError(f"--readings: {readings} is not between 1 and {_MOST_READINGS}")
    if out is None:
        raise UserError("where should the archives go? Add -o FOLDER")
    _require_empty(out)
    wanted = _parts_called(parts)
    records, taken = _read_records(graded), graded / "taken"
    seed = secrets.randbelow(10**9) if seed is None else seed
    dealt: list[tuple[Part, Readings]] = []
    remarks = []
    for part in wanted:
        try:
            given = _deal_part(part, records, taken, readings, seed)
        except UserError as fault:
            if parts:
                raise
            remarks.append(str(fault))
        else:
            dealt += [(part, given)] if given else []
    if not dealt:
        no_files = f"{shown(graded)} has no student files for any part"
        raise UserError("; ".join(remarks) or no_files)
    archives, named = _make_archives(dealt, taken, records)
    remarks += named
    key = {
        "version": 1,
        "seed": seed,
        "readings": readings,
        "parts": {part.name: _key_of(given) for part, given in dealt},
        "remarks": remarks,
    }
    _write_all(out, archives, key)
    for line in remarks:
        say(line)
    count = plural(len(archives), "archive")
    print(f"{shown(out)}: {count}, and key.json, which only you keep (seed {seed})")
