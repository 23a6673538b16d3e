"""Writes manifest.json and manifest_on_cpu.json (docs/fields.md) from the rows that CMake collects (manifest.cmake).

manifest.py LAB BUILD_FOLDER
"""

import json
import os
import sys
from pathlib import Path

# Keys of the rows: those whose value is a text, which CMake cuts at each semicolon, and those whose value is a list.
TEXTS = (
    "part name kind summary source class parent holds_sums expect folder default_step device "
    "processes why program count on_cpu".split()
)
LISTS = "flags needs arguments launcher precisions archs".split()


def read_row(words, lab):
    """From `KEY value ... KEY value ...`."""
    row = {key: [] for key in (*TEXTS, *LISTS)}
    for word in words:
        if word.isupper() and word.lower() in row:
            values = row[word.lower()]
        else:
            values.append(word)
    row |= {key: ";".join(row[key]) for key in TEXTS}
    for key in ("folder", "source"):  # from the lab's root, unless it is elsewhere
        if row[key].startswith(f"{lab}/"):
            row[key] = os.path.relpath(row[key], lab)
    return row


def some(row, keys):
    return {key: row[key] for key in keys.split()}


def part(row):
    words = {"default_step": row["default_step"] or "fixed", "device": row["device"] or "cpu"}
    return some(row, "name folder launcher") | words | {"ranks": int(row["processes"] or 1)}


def implementation(row):
    folder, base = row["part"] + ("_on_cpu" if row["on_cpu"] else ""), row["program"] or row["name"]
    programs = []
    for precision in row["precisions"]:
        for arch in row["archs"] or [""]:
            name = "_".join(filter(None, (base, arch, "double" if precision == "double" else "")))
            program = {"program": f"bin/{folder}/{name}", "target": f"{folder}_{name}"}
            programs.append({"precision": precision, "instruction_set": arch, **program})
    counted = f"{row['part']}{{}}{row['name']}_count".format
    count = {"program": "bin/" + counted("/"), "target": counted("_")} if row["count"] else None
    about = some(row, "part name kind summary source class parent flags needs expect arguments")
    first = some(programs[0], "program target")
    holds_sums = row["holds_sums"] == "TRUE"
    return about | first | {"holds_sums": holds_sums, "programs": programs, "count": count}


def main(lab, build):
    usual = {"version": 2, "parts": [], "implementations": []}
    on_cpu = {"version": 2, "parts": [], "implementations": [], "gpu_only": []}
    for line in Path(build, "manifest_rows.txt").read_text(encoding="utf-8").splitlines():
        name, *words = line.split("\t")
        row = read_row(words, lab)
        if name == "implementations":
            (on_cpu if row["on_cpu"] else usual)[name].append(implementation(row))
        elif name == "gpu_only":
            on_cpu[name].append(some(row, "part name why"))
        else:
            usual[name].append(part(row))
            if row["device"] == "gpu" and not row["processes"]:
                on_cpu[name].append(part(row | {"device": "cpu"}))
    for name, content in {"manifest": usual, "manifest_on_cpu": on_cpu}.items():
        text = json.dumps(content, ensure_ascii=False, indent=1)
        Path(build, f"{name}.json").write_text(text + "\n", encoding="utf-8")


main(*sys.argv[1:])
