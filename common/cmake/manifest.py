"""Writes manifest.json and manifest_on_cpu.json (docs/fields.md) from the rows that CMake collects (manifest.cmake).

manifest.py LAB BUILD_FOLDER
"""

import json
import os
import sys
from pathlib import Path

# Members of an implementation as they stand line by line, of a part and of what needs a GPU; other keys of rows.
LINES = "part name kind|summary|source class parent|holds_sums|flags needs expect|program target arguments"
PART, GPU_ONLY = "name folder default_step device launcher ranks", "part name why"
KEYS = (
    f"{LINES.replace('|', ' ')} {PART} {GPU_ONLY} precisions archs count processes on_cpu".split()
)
LISTS = ("flags", "needs", "arguments", "launcher", "precisions", "archs")


def read_row(words, lab):
    """From `KEY value ... KEY value ...`: of LISTS a list, of the others a text, which CMake cuts at each semicolon."""
    row = {key: [] for key in KEYS}
    for word in words:
        if word.isupper() and word.lower() in KEYS and word != "RANKS":
            values = row[word.lower()]
        else:
            values.append(word)
    row |= {key: ";".join(row[key]) for key in KEYS if key not in LISTS}
    for key in ("folder", "source"):  # from the lab's root, unless it is elsewhere
        if row[key].startswith(f"{lab}/"):
            row[key] = os.path.relpath(row[key], lab)
    return row


def text_of(row, keys):
    return json.dumps({key: row[key] for key in keys.split()}, ensure_ascii=False)


def part(row):
    words = {"default_step": row["default_step"] or "fixed", "device": row["device"] or "cpu"}
    return text_of(row | words | {"ranks": int(row["processes"] or 1)}, PART)


def implementation(row):
    folder, base = row["part"] + ("_on_cpu" if row["on_cpu"] else ""), row["program"] or row["name"]
    archs = row["archs"] or [""]

    def program(arch, precision):
        name = "_".join(filter(None, (base, arch, "double" if precision == "double" else "")))
        return {"program": f"bin/{folder}/{name}", "target": f"{folder}_{name}"}

    row |= {"holds_sums": row["holds_sums"] == "TRUE"} | program(archs[0], "float")
    members = ",\n   ".join(text_of(row, keys)[1:-1] for keys in LINES.split("|"))
    programs = ",\n       ".join(
        json.dumps({"precision": precision, "instruction_set": arch} | program(arch, precision))
        for precision in row["precisions"]
        for arch in archs
    )
    counted = f"{row['part']}{{}}{row['name']}_count".format
    count = {"program": "bin/" + counted("/"), "target": counted("_")} if row["count"] else None
    return f'{{{members},\n   "programs": [\n       {programs}],\n   "count": {json.dumps(count)}}}'


def main(lab, build):
    usual = {"parts": [], "implementations": []}
    on_cpu = {"parts": [], "implementations": [], "gpu_only": []}
    for line in Path(build, "manifest_rows.txt").read_text(encoding="utf-8").splitlines():
        name, *words = line.split("\t")
        row = read_row(words, lab)
        if name == "implementations":
            (on_cpu if row["on_cpu"] else usual)[name].append(implementation(row))
        elif name == "gpu_only":
            on_cpu[name].append(text_of(row, GPU_ONLY))
        else:
            usual[name].append(part(row))
            if row["device"] == "gpu" and not row["processes"]:
                on_cpu[name].append(part(row | {"device": "cpu"}))
    for file, lists in {"manifest.json": usual, "manifest_on_cpu.json": on_cpu}.items():
        text = '{\n"version": 2'
        for name, rows in lists.items():
            text += f',\n"{name}": [\n' + ",\n".join(f"  {row}" for row in rows) + "\n]"
        Path(build, file).write_text(text + "\n}\n", encoding="utf-8")


main(*sys.argv[1:])
