"""The files kept for each row: its source beside the notebook, its program in the build folder."""

import os
import re
import shutil

from nbody_lab.notebook.file import read_text, write_text

PLAIN = re.compile(r"[\w-]+", re.ASCII)
CONDITIONS = re.compile(
    r"// Row \d+, [^:]*: (\d+) bodies, (\w+) step, (\w+), (?:(\S+) threads?(?: at most)?|(.*?)), flags (.*?)"
    r"(?:; row \d+ with [^;]*)?; compared with (?:row (\d+),.*|(naive))"
)


# --- sources: FOLDER/notebook/003_mine.hpp (.cuh in part 3) ---


def free_number(folder, number):
    """A number without a kept source, so that none is ever overwritten."""
    names = [file.name for file in (folder / "notebook").glob("*")]
    taken = [int(found[1]) for name in names if (found := re.match(r"(\d{1,6})(?!\d)", name))]
    return max([number, *(one + 1 for one in taken)])


def keep_source(folder, row, source, conditions):
    """Copies the source with a first line that states the conditions. Returns the copy's path relative to the
    folder."""
    kept = f"notebook/{int(row['row']):03}_{row['name']}{source.suffix}"
    (folder / "notebook").mkdir(exist_ok=True)
    write_text(
        folder / kept, f"// Row {row['row']}, {row['date']}: {conditions}\n" + read_text(source)
    )
    return kept


def add_conditions(folder, row):
    """Fills a row of an old notebook, which kept its conditions only in the first line of the source."""
    if not row["row"].isdigit() or not PLAIN.fullmatch(row["name"]):
        return
    for file in sorted((folder / "notebook").glob(f"{int(row['row']):03}_{row['name']}.*")):
        row["source"] = f"notebook/{file.name}"
        found = CONDITIONS.match(read_text(file).split("\n", 1)[0].strip())
        if found:
            known = dict(
                zip(("n", "step", "precision", "threads", "device", "flags"), found.groups()),
                against=found[7] or found[8],
            )
            # The student's own text comes first.
            row.update({name: row[name] or text or "" for name, text in known.items()})


# programs of right rows, kept so that later ones can be timed beside them


def program_of(folder, row):
    """The program's path; None if the student's edits left no valid file name."""
    name = f"{row['row']}_{row['date']}_{row['name']}"
    return folder / name if PLAIN.fullmatch(name) else None


def kept_program(folder, row):
    """The program's path, or None if it is gone."""
    file = program_of(folder, row)
    return file if file and file.is_file() else None


def keep_program(folder, row, program):
    file = program_of(folder, row)
    if file is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / "unfinished.new"
    shutil.copy2(program, unfinished)
    os.replace(unfinished, file)
