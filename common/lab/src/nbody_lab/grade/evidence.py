"""What an instructor may want to see before talking to students: similar sources, how notebooks grew, worksheets that
fit a classmate's machine. It is evidence, never a verdict, and changes no mark.
"""

import csv
import json
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.clean_text import printable
from nbody_lab.core.messages import UserError
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.csv_text import csv_text
from nbody_lab.grade.part_folders import part_folders
from nbody_lab.grade.personal_numbers import foreign_machines
from nbody_lab.grade.similarity import compare
from nbody_lab.notebook.file import InputError
from nbody_lab.notebook.notebook import parse_csv
from nbody_lab.worksheet.questions import load_questions

# What a notebook says about the work: how many tries, when, and whether the last one was handed in.
BEHIND_CONDITIONS = (
    b"\n"  # ends the first line of a kept source, which holds the conditions of the measurement
)


def rows_in(file, shown):
    """(rows, problem)"""
    if file is None:
        return [], ""
    try:
        text = file.read_bytes().decode("utf-8", "replace").replace("\0", " ")
        return [line.cells for line in parse_csv(text, shown).lines], ""
    except (InputError, csv.Error) as fault:
        return [], printable(fault)


def number_of(path):
    return int(path.name.split("_", 1)[0])


def same_as_kept(kept, handed_in):
    return (
        kept.read_bytes().partition(BEHIND_CONDITIONS)[2].strip() == handed_in.read_bytes().strip()
    )


def history(folder, part):
    """For one part of a stored submission: {"rows", "first", "last", "dates", "kept", "last_kept_is_handed_in",
    "problem"}. last_kept_is_handed_in is None if nothing was kept or no file of that name was handed in."""
    here = folder / part
    file = here / "notebook.csv"
    rows, problem = rows_in(file if file.is_file() else None, f"{part}/notebook.csv")
    dates = sorted({printable(row["date"])[:10] for row in rows if row["date"]})
    kept = sorted(
        (here / "notebook").glob("[0-9]*_mine*"), key=lambda path: (number_of(path), path.name)
    )
    handed_in = here / kept[-1].name.split("_", 1)[1] if kept else None
    same = same_as_kept(kept[-1], handed_in) if handed_in and handed_in.is_file() else None
    return {
        "rows": len(rows),
        "first": dates[0] if dates else "",
        "last": dates[-1] if dates else "",
        "dates": len(dates),
        "kept": len(kept),
        "last_kept_is_handed_in": same,
        "problem": problem,
    }


HEAD = "evidence, never a verdict: look at both files and ask their authors"
ALIKE, MOST_PAIRS = 0.3, 500  # smallest share reported; most pairs per part
BOTH_FROM_ONE = 0.5  # if both share this much with a third file, it explains the similarity
HEADERS = (".hpp", ".cuh")
COLUMNS = [
    "part",
    "first",
    "second",
    "share",
    "tokens",
    "longest_run",
    "first_lines",
    "second_lines",
    "both_resemble",
]


def lab_root():
    return ROOT


def compared_files(folder):
    """The files with the student's code below a part's folder."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in HEADERS
        and path.name != "worksheet.hpp"
        and path.is_file()
        and not path.is_symlink()
        and path.parent.name != "notebook"
    ]


def of_class(taken, names, part):
    """The files of all submissions for a part: {"NAME: mine.hpp": path}."""
    return {
        f"{name}: {path.name}": path
        for name in names
        for path in compared_files(taken / name / part.folder)
    }


def of_others(folders, part):
    """Files of earlier years and of solutions for a part, found by the name of their folder."""
    found = {}
    for folder in folders:
        for path in compared_files(Path(folder)):
            inside = path.relative_to(folder)
            if part.folder in inside.parts or part.name in inside.parts:
                found[printable(f"{Path(folder).name}/{inside}")] = path
    return found


def given_of(part, given):
    """The code that everybody was given for a part, and the files in `given`."""
    own = [
        part.root / part.folder / name
        for name in sorted(part.given)
        if name.startswith(("naive", "mine"))
    ]
    return [*own, *map(Path, given)]


def common_sources(pairs, others):
    """{label of a submission's file: {older file that it resembles: share}}"""
    found = {}
    for pair in pairs:
        if pair.second in others and pair.share >= BOTH_FROM_ONE:
            found.setdefault(pair.first, {})[pair.second] = pair.share
    return found


def told(part, pair, sources):
    one, other = sources.get(pair.first, {}), sources.get(pair.second, {})
    both = sorted(
        set(one) & set(other), key=lambda source: (-min(one[source], other[source]), source)
    )
    runs = [
        {
            "tokens": run.tokens,
            "first_lines": list(run.first_lines),
            "second_lines": list(run.second_lines),
        }
        for run in pair.runs
    ]
    return {
        "part": part.name,
        "first": pair.first,
        "second": pair.second,
        "share": round(pair.share, 3),
        "tokens": pair.tokens,
        "longest_run": pair.runs[0].tokens,
        "both_resemble": both[:3],
        "runs": runs,
    }


def alike_in(part, taken, names, others, given):
    """(similar pairs, as reported, problems)"""
    new, old = of_class(taken, names, part), of_others(others, part)
    found = compare(new, old, given_of(part, given))
    sources = common_sources(found.pairs, old)
    pairs = [pair for pair in found.pairs if pair.share >= ALIKE]
    return [told(part, pair, sources) for pair in pairs[:MOST_PAIRS]], found.problems


def measured_in(folder):
    """{name: record}, without unreadable records."""
    found = {}
    for file in sorted(Path(folder).glob("*.json")):
        try:
            record = json.loads(file.read_text(encoding="utf-8"))
            found[record["submission"]["name"]] = record
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def worksheets_of(records, part):
    """{name: (authors, lines)}"""
    found = {}
    for name, record in records.items():
        sheet = record.get("parts", {}).get(part.name, {}).get("worksheet") or {}
        if sheet.get("authors") and sheet.get("lines"):
            found[name] = (sheet["authors"], sheet["lines"])
    return found


def signs_in(part, records):
    """(signs, problems)"""
    try:
        questions = load_questions(part.root / part.folder / "questions.json")
        return [
            {"part": part.name, **sign}
            for sign in foreign_machines(questions, worksheets_of(records, part))
        ], []
    except UserError as fault:
        return [], [printable(fault)]


def csv_of(pairs):
    rows = []
    for pair in pairs:
        lines = [
            "-".join(map(str, pair["runs"][0][which])) for which in ("first_lines", "second_lines")
        ]
        rows.append(
            [pair[name] for name in COLUMNS[:6]]
            + [f"lines {one}" for one in lines]
            + ["; ".join(pair["both_resemble"])]
        )
    return f"# {HEAD}\n" + csv_text([COLUMNS, *rows])


def evidence(measured_folder, others=(), given=(), taken=None, root=None, records=None):
    """Writes evidence.json and evidence.csv beside the measured folder and returns the contents of evidence.json.
    `taken`: the folder of stored sources (overlay.store), OUT/taken; `others`: folders of earlier years, and
    solutions/; `given`: further files that everybody had; `records`: {name: record}, read from the measured folder by
    default."""
    out = Path(measured_folder).parent
    taken, root = Path(taken or out / "taken"), Path(root or lab_root())
    records = measured_in(measured_folder) if records is None else records
    found = {
        "version": 1,
        "what": HEAD,
        "pairs": [],
        "notebooks": [],
        "paper_machines": [],
        "problems": [],
    }
    for part in part_folders(root):
        pairs, no_pairs = alike_in(part, taken, records, others, given)
        signs, no_signs = signs_in(part, records)
        found["pairs"] += pairs
        found["paper_machines"] += signs
        found["notebooks"] += [
            {"submission": name, "part": part.name, **history(taken / name, part.folder)}
            for name in records
            if (taken / name / part.folder).is_dir()
        ]
        found["problems"] += [one for one in [*no_pairs, *no_signs] if one not in found["problems"]]
    write_text(out / "evidence.json", json.dumps(found, indent=1) + "\n")
    write_text(out / "evidence.csv", csv_of(found["pairs"]))
    return found
