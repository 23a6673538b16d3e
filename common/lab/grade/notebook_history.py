"""What a notebook says about the work: how many tries, when, and whether the last one was handed in."""

import csv

from plain_names import printable
from notebook import rows_of_csv
from notebook_file import InputError

BEHIND_CONDITIONS = b"\n"  # ends the first line of a kept source, which holds the conditions of the measurement


def rows_in(file, shown):
    """(rows, problem)"""
    if file is None:
        return [], ""
    try:
        return rows_of_csv(file.read_bytes().decode("utf-8", "replace").replace("\0", " "), shown).rows, ""
    except (InputError, csv.Error) as fault:
        return [], printable(fault)


def number_of(path):
    return int(path.name.split("_", 1)[0])


def same_as_kept(kept, handed_in):
    return kept.read_bytes().partition(BEHIND_CONDITIONS)[2].strip() == handed_in.read_bytes().strip()


def history(folder, part):
    """For one part of a stored submission: {"rows", "first", "last", "dates", "kept", "last_kept_is_handed_in",
    "problem"}. last_kept_is_handed_in is None if nothing was kept or no file of that name was handed in."""
    here = folder / part
    file = here / "notebook.csv"
    rows, problem = rows_in(file if file.is_file() else None, f"{part}/notebook.csv")
    dates = sorted({printable(row["date"])[:10] for row in rows if row["date"]})
    kept = sorted((here / "notebook").glob("[0-9]*_mine*"), key=lambda path: (number_of(path), path.name))
    handed_in = here / kept[-1].name.split("_", 1)[1] if kept else None
    same = same_as_kept(kept[-1], handed_in) if handed_in and handed_in.is_file() else None
    return {"rows": len(rows), "first": dates[0] if dates else "", "last": dates[-1] if dates else "", "dates": len(dates),
            "kept": len(kept), "last_kept_is_handed_in": same, "problem": problem}
