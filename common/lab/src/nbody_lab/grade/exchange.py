"""--exchange: students read each other's passing versions, without names. Reads the measurements, runs nothing."""

import json
import random
import secrets
from collections import Counter, namedtuple
from pathlib import Path

from nbody_lab.core.messages import UserError, say, stop
from nbody_lab.core.whole_file import why_not_writable, write_bytes, write_text
from nbody_lab.core.words import plural
from nbody_lab.grade.identity import Names, code_of, without_author
from nbody_lab.grade.kept import read_record
from nbody_lab.grade.part_folders import part_folders
from nbody_lab.handout.archive import Member, pack_zip
from nbody_lab.notebook.file import shown
from nbody_lab.workshop import ROOT

# The text files in an exchange archive: how to run the versions, and the questions to answer.
HEAD = """# Reading others' code

Others handed in these versions, and they passed the check. Their authors are not named; please do not try to find out.
Answer three questions about each version, a few sentences for each. Write about the code, never about the person.

Read each version first. Then copy all of them beside your own; here the archive was unpacked in your home folder:
"""

PART = """
    cp ~/reading/{folder}/* {folder}/
"""

VERSION = """
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

END = """
Afterwards delete `mine_read_*` and `read_*`, and their lines in `flags.txt`: `./lab submit` packs every version that
lies there.
"""


def letter_of(number):
    return chr(ord("a") + number)


def read_me(versions):
    """The README of an archive. `versions`: [(Part, letter, flags)]"""
    folders = dict.fromkeys(part.folder for part, _, _ in versions)
    return (
        HEAD
        + "".join(PART.format(folder=folder) for folder in folders)
        + "".join(
            VERSION.format(part=part.name, folder=part.folder, letter=letter, flags=flags)
            for part, letter, flags in versions
        )
        + END
    )


# Draws who reads whose version from a seed: never their own, and each about equally often.


class TooFew(Exception):
    """Too few versions for so many readings; the message ends a sentence."""


def deal(readers, writers, readings, seed):
    """{reader: [writers]}, `readings` different writers for each reader. Writers who read sit in a ring and read the
    next ones; the remaining readers continue around the ring. So no writer is read more than once more often than
    another."""
    ring = sorted(set(writers))
    if (len(ring) <= readings and set(ring) & set(readers)) or len(ring) < readings:
        raise TooFew(
            f"{readings} readings each need {readings + 1} versions that passed, there {'is' if len(ring) == 1 else 'are'} {len(ring)}"
        )
    draw = random.Random(seed)
    draw.shuffle(ring)
    others = sorted(set(readers) - set(ring))
    draw.shuffle(others)
    found = {
        who: [ring[(k + turn) % len(ring)] for turn in range(1, readings + 1)]
        for k, who in enumerate(ring)
        if who in readers
    }
    for number, who in enumerate(others):
        found[who] = [ring[(number * readings + turn) % len(ring)] for turn in range(readings)]
    return found


MOST_READINGS = 10
HEADERS = (".hpp", ".cuh", ".h")

# The version that others read. source: its path in the submission; flags: compiler flags.
Version = namedtuple("Version", "who source flags")


def best_of(record, part):
    """The fastest row that passed and was changed; None if there is none."""
    rows = [
        row
        for row in record["parts"].get(part.name, {}).get("rows", ())
        if row["built"] and not row["untouched"] and (row["check"] or {}).get("verdict") == "passed"
    ]
    rows.sort(
        key=lambda row: (
            -max((one["interactions_per_s"] or 0 for one in row["speed"]), default=0),
            row["name"],
        )
    )
    return (
        Version(record["submission"]["name"], rows[0]["source"], rows[0]["flags"]) if rows else None
    )


def names_of(records):
    """{submission: Names}"""
    everybody = [name for record in records for name in record["submission"]["authors"]]
    return {
        one["name"]: Names(
            [*one["authors"], one["name"].replace("_", " ")], one["student_id"], everybody
        )
        for one in (record["submission"] for record in records)
    }


def path_of(version, taken, part):
    file = taken / version.who / part.folder / version.source.rpartition("/")[2]
    if not file.is_file():
        stop(
            f"{shown(file)} no longer exists: ./lab grade CLASS -o {shown(taken.parent)} measures it again"
        )
    return file


def files_of(path, part, letter, names):
    """({name in the archive: text}, identifiers that contain a name) of a version and its author's own headers."""
    others = sorted(
        file.name
        for file in path.parent.iterdir()
        if file.suffix in HEADERS and file.name not in (path.name, "worksheet.hpp")
    )
    called = {
        one: f"read_{letter}_header_{number}{Path(one).suffix}"
        for number, one in enumerate(others, 1)
    }
    called[path.name] = f"mine_read_{letter}{part.header}"
    found, wanted = {}, [path.name]
    while wanted:  # and the headers that these include
        text = (path.parent / wanted[0]).read_bytes().decode("utf-8", "replace")
        found[called[wanted.pop(0)]] = without_author(text, names, called)
        wanted += [
            one
            for one in others
            if f'{one}"' in text and called[one] not in found and one not in wanted
        ]
    return found, sorted({word for text in found.values() for word in names.left_in(code_of(text))})


def dealt(part, records, taken, options, seed):
    """({reader: [Version]}, why there is none) for one part."""
    versions = {record["submission"]["name"]: best_of(record, part) for record in records}
    writers = [who for who, version in versions.items() if version]
    readers = [who for who in versions if (taken / who / part.folder).is_dir()]
    if not readers:
        return {}, ""
    try:
        found = deal(readers, writers, options.readings, f"{seed} {part.name}")
    except TooFew as fault:
        return {}, f"{part.name}: {fault}"
    return {who: [versions[one] for one in given] for who, given in found.items()}, ""


def records_to_read(folder):
    files = sorted((folder / "measured").glob("*.json"))
    if not files:
        stop(
            f"{shown(folder)} has no measured/*.json: the exchange takes only versions that passed, so grade first: "
            "./lab grade CLASS -o FOLDER"
        )
    records = []
    for file in files:
        try:
            records.append(read_record(file, file.stem).model_dump(mode="json"))
        except UserError as fault:
            stop(f"{shown(file)}: {fault}")
    return records


def checked_place(options):
    if not 1 <= options.readings <= MOST_READINGS:
        stop(f"--readings: {options.readings} is not between 1 and {MOST_READINGS}")
    if not options.o:
        stop("where should the archives go? Add -o FOLDER")
    out = Path(options.o)
    if out.is_dir() and any(out.iterdir()):
        stop(
            f"{options.o} is not empty: name a new folder, so that archives of two exchanges do not mix"
        )
    why = why_not_writable(out / "key.json")
    if why:
        stop(f"{options.o}: {why}")
    return out


def parts_asked_for(options):
    parts = part_folders(ROOT)
    for name in options.part:
        if name not in [part.name for part in parts]:
            stop(
                f"--part: there is no '{name}'; there are {', '.join(part.name for part in parts)}"
            )
    return [part for part in parts if part.name in (options.part or [one.name for one in parts])]


def exchange(options):
    out, folder, parts = checked_place(options), Path(options.exchange), parts_asked_for(options)
    records = records_to_read(folder)
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    readings, remarks = [], []  # [(Part, {reader: [Version]})]
    for part in parts:
        given, why = dealt(part, records, folder / "taken", options, seed)
        if why and options.part:
            stop(why)
        readings += [(part, given)] if given else []
        remarks += [why] if why else []
    if not readings:
        stop("; ".join(remarks) or f"{shown(folder)} has no student files for any part")
    archives, named = archives_of(readings, folder / "taken", names_of(records))
    remarks += sorted(named)
    for reader, members in archives.items():
        write_bytes(out / f"{reader}.zip", pack_zip("reading", members))
    key = {
        "version": 1,
        "seed": seed,
        "readings": options.readings,
        "parts": key_of(readings),
        "remarks": remarks,
    }
    write_text(out / "key.json", json.dumps(key, indent=1) + "\n")
    (out / "key.json").chmod(0o600)
    for line in remarks:
        say(line)
    print(
        f"{shown(out)}: {plural(len(archives), 'archive')}, and key.json, which only you keep (seed {seed})"
    )
    return 0


def archives_of(readings, taken, names):
    """({reader: {path: Member}}, what a person should look at)"""
    files, told, remarks = {}, {}, set()
    for part, given in readings:
        for reader, versions in given.items():
            for number, one in enumerate(versions):
                letter = letter_of(number)
                texts, left = files_of(path_of(one, taken, part), part, letter, names[one.who])
                files.setdefault(reader, {}).update(
                    {
                        f"{part.folder}/{name}": Member(text.encode("utf-8"))
                        for name, text in texts.items()
                    }
                )
                told.setdefault(reader, []).append((part, letter, one.flags))
                remarks |= (
                    {f"{one.who}: {one.source}: a name may stand in {', '.join(left)}"}
                    if left
                    else set()
                )
    return {
        reader: {**members, "README.md": Member(read_me(told[reader]).encode("utf-8"))}
        for reader, members in files.items()
    }, remarks


def key_of(readings):
    """The key: who reads whom, under which letter, and how often each version is read."""
    return {
        part.name: {
            "read": dict(
                sorted(Counter(one.who for some in given.values() for one in some).items())
            ),
            "readers": {
                reader: {
                    letter_of(number): {"who": one.who, "source": one.source}
                    for number, one in enumerate(some)
                }
                for reader, some in sorted(given.items())
            },
        }
        for part, given in readings
    }
