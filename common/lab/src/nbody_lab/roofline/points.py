"""Makes the points of a roofline: counts, times and examines programs, and places them under the ceilings."""

import datetime

from nbody_lab.core.cpuinfo import best_program
from nbody_lab.core.messages import Failure, say
from nbody_lab.programs.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
    names_with_hidden_counts,
    seal_fields,
    stored_counts,
)
from nbody_lab.programs.quick_bench import bench_result, timed_beside_others
from nbody_lab.roofline.ceilings import here, is_gpu
from nbody_lab.roofline.code import code_of
from nbody_lab.roofline.model import NoCeiling, plain_code, point
from nbody_lab.worksheet.roofline_inputs import (
    NoInput,
    limits_of_loop,
    pow_seconds,
    read_ceilings,
    read_json,
    speeds_of,
    work_of,
)
from nbody_lab.workshop import ROOT

KINDS = ("naive", "mine", "rung", "solution")  # exhibits only if named
FOLDER = ROOT / "build/roofline"
SETS_OF_MANIFEST = {"": "scalar", "avx512": "avx512f"}


def hidden(part):
    return f"counts are hidden until the worksheet's counts are right (./lab worksheet {part})"


def roofline_of(part, machine, setting, ceilings, points, left_out, notes=()):
    """The JSON (docs/file_formats.md). `setting`: where, precision, threads, n."""
    numbered = [{"number": number, **one} for number, one in enumerate(points, 1)]
    return {
        "what": "roofline",
        "version": 1,
        "part": part,
        "date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}",
        "machine": machine,
        **setting,
        "ceilings": ceilings,
        "points": numbered,
        "left_out": [{"name": name, "why": why} for name, why in left_out.items()],
        "notes": list(notes),
    }


def names_to_place(lab, names):
    lab.demand_part()
    for name in names:
        lab.demand_name(name)
    return names or [row["name"] for row in lab.rows() if row["kind"] in KINDS]


def hidden_counts(lab):
    if has_worksheet(lab):
        build_worksheet(lab)
    return names_with_hidden_counts(lab)


def counted(lab, names):
    """(names with counts, {name: why it has none}). Counts of the given code stay hidden until the student found
    them."""
    left_out = {}
    for name in names:
        if not lab.row(name).get("count"):
            left_out[name] = "not counted"
            continue
        count_to_file(lab, name)
        if not counts_of(lab, name).exists():
            left_out[name] = f"cannot be counted (./lab count {lab.part} {name} says why)"
    left_out.update({name: hidden(lab.part) for name in hidden_counts(lab) if name in names})
    return [name for name in names if name not in left_out], left_out


def timed(lab, names, setting):
    """The result of bench for these programs: a few short rounds."""
    return bench_result(
        lab,
        names,
        "--quick",
        "-n",
        setting["n"],
        "--threads",
        max(setting["threads"], 1),
        "--precision",
        setting["precision"],
    )


def program_of(lab, name, precision):
    best = best_program(lab.row(name)["programs"], precision)
    return lab.build / best["program"], SETS_OF_MANIFEST.get(
        best["instruction_set"], best["instruction_set"]
    )


def device_in(rows, where):
    """The GPU's name; '' for a processor."""
    return next((row.get("device", "") for row in here(rows, where)), "")


def bound_file(lab, name, precision):
    """The result file of ./lab bound."""
    return (
        ROOT / "build/bound" / f"{lab.part}_{name}{'_double' if precision == 'double' else ''}.json"
    )


def placed(lab, name, speed, setting, ceilings):
    """A point of the roofline. Raises NoInput, NoCeiling."""
    rows, precision = here(ceilings["ceilings"], setting["where"]), setting["precision"]
    work = work_of(counts_of(lab, name), setting["n"])
    program, otherwise = program_of(lab, name, precision)
    code = (
        plain_code("")
        if is_gpu(rows)
        else code_of(
            program,
            work,
            precision,
            pow_seconds(ceilings, precision),
            otherwise,
            ceilings["clock_hz"],
        )
    )
    threads = threads_used(program, setting)
    of_loop = limits_of_loop(
        bound_file(lab, name, precision), precision, program, ceilings["clock_hz"], threads
    )
    return {
        "name": name,
        "kind": lab.row(name)["kind"],
        **point(rows, work, code, speed, setting["n"], precision, threads, of_loop),
    }


STARTS_THREADS = (
    b"GOMP_parallel",
    b"__kmpc_fork_call",
)  # calls that g++ and clang++ generate for `#pragma omp parallel`


def threads_used(program, setting):
    """The threads that the program really uses: one, if its code starts none."""
    if setting["threads"] <= 1:
        return setting["threads"]
    code = program.read_bytes()
    return setting["threads"] if any(name in code for name in STARTS_THREADS) else 1


def build(lab, names, precision, all_of_them):
    """Builds everything needed. A failure ends the command, or only costs the points."""
    built = lab.build_targets(
        lab.part,
        "bin/bench",
        *(
            target
            for name in names
            for target in [lab.program(name), *lab.targets(name, precision)]
        ),
    )
    if not built and all_of_them:
        raise Failure(1)
    if not built:
        say("continuing without what did not compile")


def gather(lab, names, setting, ceilings, all_of_them=True):
    """The roofline of these names; builds, counts and times what is missing."""
    seals = {name: seal_fields(lab, name) for name in names}
    build(lab, names, setting["precision"], all_of_them)
    names, left_out = counted(lab, names)
    points, machine = [], ceilings["machine"].get("cpu", "")
    if names:
        result = timed(lab, names, setting)
        machine = device_in(ceilings["ceilings"], setting["where"]) or machine
        speeds, wrong = speeds_of(result, setting["precision"], max(setting["threads"], 1))
        for name in names:
            try:
                if name not in speeds:
                    left_out[name] = f"the bench says: {wrong.get(name, 'not measured')}"
                    continue
                points.append(
                    {
                        **placed(lab, name, speeds[name], setting, ceilings),
                        **seals[name],
                        "busy_machine": name in timed_beside_others(result),
                    }
                )
            except NoInput as fault:
                left_out[name] = str(fault)
            except NoCeiling as fault:
                left_out[name] = f"no ceiling for {fault} was measured"
    return roofline_of(lab.part, machine, setting, ceilings, points, left_out)


# The roofline of a GPU that is not here: made from data/results, which were measured on one.
RESULTS = ROOT / "data/results"
CEILINGS = RESULTS / "ceilings_h200.json"
PLACE = "gpu 0"
SIZE = 131072
WITHOUT = (
    "without a GPU: ./lab bound {part} mine shows how many instructions your kernel takes and what an H200 could reach "
    "with them (needs nvcc: ./lab setup --cuda); ./lab worksheet {part} judges your answers"
)


def may_be_shown(lab):
    """A predicate: are the counts of this name no longer an answer?"""
    hidden_here = hidden_counts(lab) if has_worksheet(lab) else []
    return lambda name: name not in hidden_here


def stored(lab, names, precision, ceilings_file=CEILINGS):
    """The roofline of the names that were counted and timed there. Raises NoInput."""
    if not ceilings_file.exists():
        raise NoInput(
            f"no GPU answers here, and data/results has no {ceilings_file.name}: measure on a machine with a GPU"
        )
    ceilings, ladder = read_ceilings(ceilings_file), RESULTS / f"{lab.part}_study_ladder.json"
    result = (
        read_json(ladder) if ladder.exists() else {"summary": [], "context": {}}
    )  # a handout has only the ceilings
    n = result["summary"][0]["n"] if result["summary"] else SIZE
    speeds, _ = speeds_of(result, precision, 1)
    shown, points, left_out = may_be_shown(lab), [], {}
    rows = here(ceilings["ceilings"], PLACE)
    for name in names or [
        name for name in speeds if name != "mine"
    ]:  # mine in that file is not the student's
        if name.startswith("mine"):
            left_out[name] = "your own code is only counted and timed on a GPU"
        elif not stored_counts(lab, name).exists():
            left_out[name] = (
                "was not counted on that GPU, so it has a speed but no place under the roof"
            )
        elif name not in speeds:
            left_out[name] = f"not measured there in {precision}"
        elif not shown(name):
            left_out[name] = hidden(lab.part)
        else:
            work = work_of(stored_counts(lab, name), n)
            points.append(
                {
                    "name": name,
                    "kind": "naive" if name == "naive" else "rung",
                    **point(
                        rows,
                        work,
                        plain_code(""),
                        speeds[name],
                        n,
                        precision,
                        0,
                        limits_of_loop(
                            bound_file(lab, name, precision),
                            precision,
                            lab.build / "bin" / lab.part / name,
                            0,
                        ),
                    ),
                }
            )
    device = device_in(rows, PLACE)
    of = (
        f"the figures of data/results, measured on {device} on {result['context']['day']}"
        if points
        else f"the ceilings of {device}, from data/results"
    )
    notes = [f"no GPU answers here: these are {of}", WITHOUT.format(part=lab.part)]
    return roofline_of(
        lab.part,
        device,
        {"where": PLACE, "precision": precision, "threads": 0, "n": n},
        ceilings,
        points,
        left_out,
        notes,
    )
