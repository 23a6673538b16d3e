"""--exchange: students read each other's passing versions, without names. Reads the measurements, runs nothing."""

import json
import random
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

import jinja2

from nbody_lab import ROOT
from nbody_lab.core.clean_text import clean, folded
from nbody_lab.core.messages import UserError, say
from nbody_lab.core.whole_file import why_not_writable, write_bytes
from nbody_lab.core.words import plural
from nbody_lab.grade.kept import read_records
from nbody_lab.grade.models import Outcome, Record, Row
from nbody_lab.grade.overlay import Part, part_folders
from nbody_lab.grade.submissions import COMMENT_OR_STRING
from nbody_lab.handout.archive import Member, pack_zip
from nbody_lab.notebook.file import shown

_READ_ME = Path(__file__).resolve().parent / "templates/exchange.md.j2"
_HEADERS = (".hpp", ".cuh", ".h")


class Reading(NamedTuple):
    """Which version somebody reads, and under which letter."""

    reader: str
    part: Part
    letter: str
    who: str  # wrote it
    version: Row


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


def _best_version(record: Record, part: Part) -> Row | None:
    """The fastest row that passed and was changed."""

    def fastest_first(row: Row) -> tuple[float, str]:
        return -max((one.interactions_per_s or 0 for one in row.speed), default=0), row.name

    rows = record.parts[part.name].rows if part.name in record.parts else ()
    right = [row for row in rows if row.outcome is Outcome.RIGHT]
    return min(right, key=fastest_first, default=None)


def _deal_part(
    part: Part, records: Sequence[Record], taken: Path, readings: int, seed: int
) -> list[Reading]:
    versions = {
        record.submission.name: version
        for record in records
        if (version := _best_version(record, part))
    }
    everybody = [record.submission.name for record in records]
    readers = [name for name in everybody if (taken / name / part.folder).is_dir()]
    if not readers:
        return []
    try:
        found = deal(readers, versions, readings, f"{seed} {part.name}")
    except UserError as fault:
        raise UserError(f"{part.name}: {fault}") from fault
    return [
        Reading(reader, part, letter, writer, versions[writer])
        for reader, writers in found.items()
        for letter, writer in zip(ascii_lowercase, writers)
    ]


# --- removing the author from source text, as far as a program can ---

# Comments and strings with these go. All repetitions are bounded: a text of 200 kB takes less than a second.
_E_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.\w")
_PATH = re.compile(r"(?<![\w.])(/(home|Users|root|mnt|media|tmp|afs|scratch)/|~/|[A-Za-z]:\\)")
_SIGNED = re.compile(
    r"@author|\bauthors?\s{0,9}[:=]|\b(written|made|coded) by\b|\bcopyright\b|\(c\)\s{0,9}\d{4}",
    re.IGNORECASE,
)
_SHORTEST_NAME = 3  # letters: "Bo" would hide too many comments
_PIECE = re.compile(
    COMMENT_OR_STRING.pattern + r'|^(?P<include>[ \t]*#[ \t]*include[ \t]*)"(?P<header>[^"\n]+)"',
    re.DOTALL | re.MULTILINE,
)


class Names:
    """What identifies a submission: words of its authors' names, its number, and full names of the rest of the class."""

    def __init__(self, own: Iterable[str], number: str, everybody: Iterable[str]) -> None:
        self.words = {
            word
            for name in own
            for word in re.findall(r"[^\W\d_]+", folded(name))
            if len(word) >= _SHORTEST_NAME
        }
        full = {
            r"\s{1,9}".join(map(re.escape, folded(name).split()))
            for name in everybody
            if len(name.split()) > 1
        }
        patterns = sorted({*self.words, *full, *([re.escape(number)] if number else [])})
        self._any = re.compile(rf"(?<![^\W_])(?:{'|'.join(patterns) or '(?!)'})(?![^\W_])")

    def give_away(self, text: str) -> bool:
        return any(one.search(text) for one in (_E_MAIL, _PATH, _SIGNED)) or bool(
            self._any.search(folded(text))
        )

    def left_in(self, text: str) -> list[str]:
        """Identifiers that contain a name, such as AnnasLoop: renaming could break the code, so a person looks at them."""
        code = COMMENT_OR_STRING.sub(" ", text)
        return sorted(
            word
            for word in set(re.findall(r"[A-Za-z_]\w*", code))
            if any(
                part in self.words or (part.endswith("s") and part[:-1] in self.words)
                for part in map(str.lower, re.findall(r"[A-Z]?[a-z]+|[A-Z]+", word))
            )
        )


def remove_author(text: str, names: Names, headers: Mapping[str, str]) -> str:
    """The text without what names.give_away(), on the same lines. `headers`: {name of an own file: its new name}."""
    text = clean(text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4))

    def judge(found: re.Match[str]) -> str:
        if header := found["header"]:
            return f'{found["include"]}"{headers.get(header.rpartition("/")[2], header)}"'
        if not names.give_away(found[0]):
            return found[0]
        lines = "\n" * found[0].count("\n")
        return lines if found[0][0] == "/" else f'"removed"{lines}'

    return "\n".join(line.rstrip(" \t") for line in _PIECE.sub(judge, text).split("\n"))


# --- what they read ---


def _anonymous_files(reading: Reading, taken: Path, names: Names) -> tuple[dict[str, str], str]:
    """{name in the archive: text} of a version and the headers that it includes, and directly or not by those; and a
    remark, if a name may be left."""
    version, part, letter = reading.version, reading.part, reading.letter
    path = taken / reading.who / part.folder / version.source.rpartition("/")[2]
    if not path.is_file():
        raise UserError(
            f"{shown(path)} no longer exists: ./lab grade CLASS -o {shown(taken.parent)} measures it again"
        )
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
    for name in wanted:  # which grows by the headers that these include
        text = (path.parent / name).read_bytes().decode("utf-8", "replace")
        found[called[name]] = remove_author(text, names, called)
        wanted += [one for one in others if f'{one}"' in text and one not in wanted]
    left = {word for text in found.values() for word in names.left_in(text)}
    remark = f"{reading.who}: {version.source}: a name may stand in {', '.join(sorted(left))}"
    return found, remark if left else ""


def _write_read_me(readings: Sequence[Reading]) -> str:
    template = jinja2.Template(
        _READ_ME.read_text(encoding="utf-8"),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    folders = list(dict.fromkeys(one.part.folder for one in readings))
    text: str = template.render(folders=folders, readings=readings)
    return text


def _make_archives(
    readings: Sequence[Reading], taken: Path, records: Sequence[Record]
) -> tuple[dict[str, dict[str, Member]], list[str]]:
    """{reader: {path: Member}}, and what a person should look at."""
    submissions = [record.submission for record in records]
    everybody = [name for one in submissions for name in one.authors]
    names = {
        one.name: Names([*one.authors, one.name.replace("_", " ")], one.student_id, everybody)
        for one in submissions
    }
    archives: dict[str, dict[str, Member]] = {one.reader: {} for one in readings}
    remarks = set()
    for one in readings:
        texts, remark = _anonymous_files(one, taken, names[one.who])
        remarks |= {remark}
        archives[one.reader] |= {
            f"{one.part.folder}/{name}": Member(text.encode("utf-8"))
            for name, text in texts.items()
        }
    for reader, members in archives.items():
        text = _write_read_me([one for one in readings if one.reader == reader])
        members["README.md"] = Member(text.encode("utf-8"))
    return archives, sorted(filter(None, remarks))


def _key_of(readings: Sequence[Reading]) -> dict[str, object]:
    """Who reads whom, under which letter, and how often each version is read."""
    times = Counter(one.who for one in readings)
    readers: dict[str, dict[str, object]] = {one.reader: {} for one in readings}
    for one in readings:
        source = {"who": one.who, "source": one.version.source}
        readers[one.reader][one.letter] = source
    return {"read": dict(sorted(times.items())), "readers": dict(sorted(readers.items()))}


# --- the command ---


def _require_empty(out: Path) -> None:
    if out.is_dir() and any(out.iterdir()):
        raise UserError(
            f"{out} is not empty: name a new folder, so that archives of two exchanges do not mix"
        )
    why = why_not_writable(out / "key.json")
    if why:
        raise UserError(f"{out}: {why}")


def _write_all(
    out: Path, archives: Mapping[str, Mapping[str, Member]], key: Mapping[str, object]
) -> None:
    """The key comes first: without it, nobody knows whose versions the archives hold."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / "key.json"
    file.touch(mode=0o600, exist_ok=False)  # for its owner, before there is anything in it
    file.write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")
    for reader, members in archives.items():
        write_bytes(out / f"{reader}.zip", pack_zip("reading", members))


def exchange(
    graded: Path, out: Path | None, parts: Sequence[str], readings: int, seed: int | None
) -> None:
    """Writes an archive for each student of the class graded there to `out`, and key.json for the instructor."""
    if out is None:
        raise UserError("where should the archives go? Add -o FOLDER")
    _require_empty(out)
    wanted = [part for part in part_folders(ROOT) if not parts or part.name in parts]
    records, taken = read_records(graded), graded / "taken"
    seed = secrets.randbelow(10**9) if seed is None else seed
    dealt: dict[str, list[Reading]] = {}
    remarks = []
    for part in wanted:
        try:
            dealt[part.name] = _deal_part(part, records, taken, readings, seed)
        except UserError as fault:
            if parts:
                raise
            remarks.append(str(fault))
    everything = [one for given in dealt.values() for one in given]
    if not everything:
        no_files = f"{shown(graded)} has no student files for any part"
        raise UserError("; ".join(remarks) or no_files)
    archives, named = _make_archives(everything, taken, records)
    remarks += named
    key = {
        "version": 1,
        "seed": seed,
        "readings": readings,
        "parts": {name: _key_of(given) for name, given in dealt.items() if given},
        "remarks": remarks,
    }
    _write_all(out, archives, key)
    for line in remarks:
        say(line)
    count = plural(len(archives), "archive")
    print(f"{shown(out)}: {count}, and key.json, which only you keep (seed {seed})")
