"""./lab roofline: measures what is missing, reports where each program lies under the roof, and draws it."""

import argparse
import json
from pathlib import Path

from nbody_lab.core.messages import say, stop
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plain_name, wants_help
from nbody_lab.draw import pictures
from nbody_lab.hardware.ceilings import add_gpu_rows, known_ceilings, measure_ceilings
from nbody_lab.hardware.ceilings import write as write_ceilings
from nbody_lab.programs.ranks import demand_one_process
from nbody_lab.roofline.ceilings import here, thread_counts
from nbody_lab.roofline.counters import compare
from nbody_lab.roofline.points import FOLDER, gather, names_to_place, stored
from nbody_lab.roofline.text import ceiling_lines, csv_of, stem_of, text_of
from nbody_lab.worksheet.roofline_inputs import NoInput, read_ceilings, read_roofline
from nbody_lab.workshop import ROOT

SIZE, SIZE_ON_GPU = 5000, 131072  # bodies

USAGE = """usage: ./lab roofline PART [NAME...] [options]
       ./lab roofline --measure

Where each program lies under this machine's roof, and what limits it. Without names: naive,
every mine, and the rungs. What is missing is measured first: this machine's ceilings take a minute.

  -n N               bodies (default 5000; on a GPU 131072)
  --double           double precision
  --threads T        1 (default) or all
  --from FILE.json   measure nothing: show what ./lab roofline wrote before
  --counters         compare the counted work of one name with the processor's counters
  --measure          measure this machine's ceilings first, even if they are known

It writes PART.json, .csv, .svg and .png into build/roofline; for a selection of names, where
PART has more, PART_selection. How to read them: docs/work_and_roofline.md
example: ./lab roofline part1 naive mine"""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        stop(f"roofline: {message}; see ./lab roofline -h")


def bodies(word):
    number = int(word)
    if not 2 <= number <= 1 << 20:
        raise ValueError
    return number


def parse(words):
    parser = Parser(prog="./lab roofline", allow_abbrev=False, add_help=False)
    parser.add_argument("names", nargs="*")
    parser.add_argument("-n", type=bodies)
    parser.add_argument(
        "--double", dest="precision", action="store_const", const="double", default="float"
    )
    parser.add_argument("--threads", default="1")
    parser.add_argument("--from", dest="file")
    parser.add_argument("--counters", action="store_true")
    parser.add_argument("--measure", action="store_true")
    return parser.parse_intermixed_args(words)


# --- what is shown, from its JSON ------------------------------------------------------------------


def show(data, stem):
    """Prints the text and replaces JSON, CSV and picture in build/roofline."""
    file = FOLDER / f"{stem}.json"
    write_text(file, json.dumps(data, indent=1) + "\n")
    write_text(FOLDER / f"{stem}.csv", csv_of(data))
    print(f"{text_of(data)}\n\n{file.relative_to(ROOT)} and .csv")
    if not pictures.can_draw():
        say(
            f"no picture: {pictures.BRING}; then: ./lab roofline {data['part']} --from {file.relative_to(ROOT)}"
        )
        return 0
    return pictures.draw("roofline", file, FOLDER, "--again")


def stem_beside(stem, data):
    """The stem, or another one if a selection would overwrite a roofline with more points."""
    try:
        kept = {one["name"] for one in read_roofline(FOLDER / f"{stem}.json")["points"]}
    except NoInput:
        return stem  # nothing worth keeping
    return f"{stem}_selection" if kept - {one["name"] for one in data["points"]} else stem


def show_again(lab, file):
    data = read_roofline(file)
    if data["part"] != lab.part:
        stop(f"{file} is for {data['part']}, not {lab.part}")
    return show(data, Path(file).stem)


# --- what is measured ------------------------------------------------------------------------------


def measure(lab):
    """Measures the ceilings again."""
    lab.begin()
    file = measure_ceilings(lab)
    data = read_ceilings(file)
    if add_gpu_rows(lab, data):
        write_ceilings(data, file)
    for where in sorted({row["where"] for row in data["ceilings"]}):
        threads = min(row["threads"] for row in data["ceilings"] if row["where"] == where)
        print(f"{where}, float{', 1 thread' if where == 'cpu' else ''}")
        print(
            "\n".join(
                ceiling_lines(
                    {"ceilings": data, "where": where, "threads": threads, "precision": "float"}
                )
            )
        )
    return 0


def ceilings_of(lab, where):
    """The stored ceilings of this machine; measures what is missing."""
    file = known_ceilings(lab)
    data = read_ceilings(file)
    if where != "cpu" and not here(data["ceilings"], where) and add_gpu_rows(lab, data):
        write_ceilings(data, file)
    if not here(data["ceilings"], where):
        stop(f"no ceiling for {where} was measured: ./lab roofline --measure")
    return data


def threads_of(word, ceilings):
    counts = thread_counts(ceilings["ceilings"])
    if word == "all":
        return counts[-1]
    if not word.isdigit() or int(word) not in counts:
        stop(
            f"roofline: --threads takes {' or '.join(map(str, counts))} (their ceilings were measured) or all, not '{word}'"
        )
    return int(word)


def roofline_here(lab, options):
    where = "gpu 0" if lab.on_gpu() else "cpu"
    names = names_to_place(lab, options.names)
    demand_one_process(lab, "roofline")
    ceilings = ceilings_of(lab, where)
    threads = threads_of(options.threads, ceilings) if where == "cpu" else 0
    setting = {
        "where": where,
        "precision": options.precision,
        "threads": threads,
        "n": options.n or (SIZE if where == "cpu" else SIZE_ON_GPU),
    }
    return gather(lab, names, setting, ceilings, bool(options.names)), stem_of(
        lab.part, setting, threads > 1
    )


def without_gpu(lab):
    return lab.on_gpu() and not lab.gpu()


def placed(lab, options):
    if options.file:
        return show_again(lab, options.file)
    lab.begin()
    if without_gpu(lab):
        if options.n or options.threads != "1":
            stop(
                "no GPU answers here, so stored figures (data/results) are shown: leave out -n and --threads"
            )
        data = stored(lab, options.names, options.precision)
        stem = stem_of(lab.part, data, False)
    else:
        data, stem = roofline_here(lab, options)
        lab.unlock()
    return show(data, stem_beside(stem, data) if options.names else stem)


def roofline(lab, words):
    if wants_help(words):
        print(USAGE)
        return 0
    options = parse(words)
    if options == parse(["--measure"]):
        return measure(lab)
    options.names = [plain_name(name) for name in lab.choose_part("roofline", options.names)]
    if options.measure:
        measure(lab)
    if options.counters:
        return compare(lab, options.names, options.precision, options.n or SIZE)
    return placed(lab, options)
