"""./lab bound: how fast the student's loop could be, given the ports that its machine code needs."""

import json
import platform
from pathlib import Path

from nbody_lab.bound import command as bound_command
from nbody_lab.bound.command import counted_work, look_into, look_into_kernel, parse
from nbody_lab.bound.machine_symbols import NoLoop
from nbody_lab.bound.mca import CannotCount
from nbody_lab.bound.speed import (
    STORED_ARCHITECTURE,
    add_speeds_of_gpu,
    add_speeds_of_processor,
    gpu_here,
)
from nbody_lab.bound.text import full_words, table, text_of
from nbody_lab.core import cpuinfo
from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plain_name
from nbody_lab.programs.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
    names_with_hidden_counts,
    seal_fields,
)
from nbody_lab.worksheet.roofline_inputs import NoInput
from nbody_lab.workshop import ROOT

OWN_WORK = ("naive", "mine")  # kinds whose counts the worksheet asks for


def forbears(lab, name):
    """Yields the name, its parent, the parent's parent, and so on."""
    while name and lab.row(name):
        yield name
        parent = lab.row(name).get("parent")
        name = parent if parent != name else ""


def work_of(lab, name):
    """({kind: operations per interaction}, whose counts, '' if its own). If code cannot be counted, the
    counts of its nearest counted ancestor are used."""
    for one in forbears(lab, name):
        if not counts_of(lab, one).exists():
            count_to_file(lab, one)
        work = counted_work(counts_of(lab, one))
        if work:
            return work, "" if one == name else one
    return {}, ""


def is_hidden(lab, name):
    """Whether its counts are answers of the worksheet that the student has not found yet."""
    if lab.row(name).get("kind") not in OWN_WORK or not has_worksheet(lab):
        return False
    build_worksheet(lab)
    return name in names_with_hidden_counts(lab)


def bound_one(lab, name, options, core):
    """The bound without speeds; `core`: on a GPU, its architecture. Raises NoLoop, CannotCount."""
    work, whose = work_of(lab, name)
    hidden = is_hidden(lab, name)
    if lab.on_gpu():
        return look_into_kernel(lab, name, options, core, {} if whose else work, hidden)
    return look_into(lab, name, options, core, work, whose, hidden)


def is_kept(options):
    """Whether to store it: roofline and report expect build/bound to hold bounds for this machine."""
    return not (
        options.core or options.arch or options.kernel or options.interactions or options.clock
    )


def file_of(lab, found):
    """build/bound/PART_NAME.json, or PART_NAME_double.json."""
    words = [lab.part, found["name"], *(["double"] if found["precision"] == "double" else [])]
    return ROOT / "build/bound" / ("_".join(words) + ".json")


def write(file, data):
    write_text(file, json.dumps(data, indent=1) + "\n")


def row_of(found):
    """A row of --json, for the documents' tables (docs/figures.py)."""
    return {
        "name": found["name"],
        "precision": found["precision"],
        "instruction_set": found["instruction_set"],
        "core": found["core"],
        "instructions": found["loop"]["instructions"],
        "interactions": found["interactions_per_iteration"],
        "cycles": round(found["cycles_per_iteration"], 2),
        "port": full_words(found),
        "clock_hz": found["clock_hz"],
        "measured_interactions_per_s": found["measured_interactions_per_s"],
        "unknown": len(found["unknown"]),
    }


def look_at_all(lab, names, options, core):
    all_found, complaints = [], {}
    for name in names:
        try:
            all_found.append(bound_one(lab, name, options, core))
        except (NoLoop, CannotCount) as fault:
            if len(names) == 1:
                stop(f"bound: {fault}")
            complaints.setdefault(str(fault), []).append(name)
    for fault, those in complaints.items():
        say(f"{lab.part}: {' '.join(those)}: {fault}")
    return all_found


def demand_programs(lab, names, options):
    targets = ["bin/bench"]
    for name in names:
        targets += lab.targets(name, "double" if options.double else "float")
    if len(names) == 1:
        lab.demand_targets(f"{lab.part}/{names[0]}", *targets)
    elif not lab.build_targets(lab.part, *targets):
        say("continuing without what did not compile")


def bound(lab, words):
    try:
        return bound_of_part(lab, words)
    except NoInput as fault:
        return stop(f"bound: {fault}")


def bound_of_part(lab, words):
    options = parse(words)
    options.names = lab.choose_part("bound", options.names)
    core = None if lab.on_gpu() else bound_command.core_of(options)
    lab.begin()
    lab.demand_part()
    names = [plain_name(word) for word in options.names] or ["naive"]
    if options.all:
        names = lab.names()
    for name in names:
        lab.demand_name(name)
    seals = {name: seal_fields(lab, name) for name in names}
    demand_programs(lab, names, options)
    gpu = gpu_here(lab) if lab.on_gpu() else None
    if lab.on_gpu():
        core = options.arch or (gpu.architecture if gpu else STORED_ARCHITECTURE)
    all_found = look_at_all(lab, names, options, core)
    if not all_found:
        raise Failure(1)
    if lab.on_gpu():
        add_speeds_of_gpu(lab, all_found, options, gpu)
    else:
        add_speeds_of_processor(lab, all_found, options)
    lab.unlock()  # not before: a build at the same time would spoil the measurement
    for found in all_found if is_kept(options) else ():
        write(file_of(lab, found), {**found, **seals[found["name"]]})
    if options.json:
        write(
            Path(options.json),
            {
                "machine": machine_words(lab, all_found),
                "summary": [row_of(found) for found in all_found],
            },
        )
    for found in all_found:
        if "WRONG" in found.get("why_not_measured", ""):
            print(
                f"{lab.part}/{found['name']} is WRONG, so this bound is for different work: ./lab check {lab.part} {found['name']}\n"
            )
    print(text_of(all_found[0]) if len(all_found) == 1 else table(all_found))
    return 0


def machine_words(lab, all_found):
    if lab.on_gpu():
        return f"machine code for {all_found[0]['core']}; {all_found[0]['machine']}"
    return f"{cpuinfo.fields().get('model name') or platform.machine()}, one thread"
