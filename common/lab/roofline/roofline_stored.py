"""The roofline of a GPU that is not here: made from data/results, which were measured on one."""

from counting import has_worksheet, stored_counts
from roofline_ceilings import here
from worksheet.roofline_inputs import NoInput, limits_of_loop, read_ceilings, read_json, speeds_of, work_of
from roofline_limits import plain_code
from roofline_model import point
from roofline_points import bound_file, device_in, hidden, hidden_counts, roofline_of
from workshop import ROOT

RESULTS = ROOT / "data/results"
CEILINGS = RESULTS / "ceilings_h200.json"
PLACE = "gpu 0"
SIZE = 131072
WITHOUT = ("without a GPU: ./lab bound {part} mine shows how many instructions your kernel takes and what an H200 could reach "
           "with them (needs nvcc: ./lab setup --cuda); ./lab worksheet {part} judges your answers")


def may_be_shown(lab):
    """A predicate: are the counts of this name no longer an answer?"""
    hidden_here = hidden_counts(lab) if has_worksheet(lab) else []
    return lambda name: name not in hidden_here


def stored(lab, names, precision, ceilings_file=CEILINGS):
    """The roofline of the names that were counted and timed there. Raises NoInput."""
    if not ceilings_file.exists():
        raise NoInput(f"no GPU answers here, and data/results has no {ceilings_file.name}: measure on a machine with a GPU")
    ceilings, ladder = read_ceilings(ceilings_file), RESULTS / f"{lab.part}_study_ladder.json"
    result = read_json(ladder) if ladder.exists() else {"summary": [], "context": {}}  # a handout has only the ceilings
    n = result["summary"][0]["n"] if result["summary"] else SIZE
    speeds, _ = speeds_of(result, precision, 1)
    shown, points, left_out = may_be_shown(lab), [], {}
    rows = here(ceilings["ceilings"], PLACE)
    for name in names or [name for name in speeds if name != "mine"]:  # mine in that file is not the student's
        if name.startswith("mine"):
            left_out[name] = "your own code is only counted and timed on a GPU"
        elif not stored_counts(lab, name).exists():
            left_out[name] = "was not counted on that GPU, so it has a speed but no place under the roof"
        elif name not in speeds:
            left_out[name] = f"not measured there in {precision}"
        elif not shown(name):
            left_out[name] = hidden(lab.part)
        else:
            work = work_of(stored_counts(lab, name), n)
            points.append({"name": name, "kind": "naive" if name == "naive" else "rung", **point(
                rows, work, plain_code(""), speeds[name], n, precision, 0,
                limits_of_loop(bound_file(lab, name, precision), precision, lab.build / "bin" / lab.part / name, 0))})
    device = device_in(rows, PLACE)
    of = f"the figures of data/results, measured on {device} on {result['context']['day']}" if points else f"the ceilings of {device}, from data/results"
    notes = [f"no GPU answers here: these are {of}", WITHOUT.format(part=lab.part)]
    return roofline_of(lab.part, device, {"where": PLACE, "precision": precision, "threads": 0, "n": n}, ceilings, points,
                       left_out, notes)

