"""Builds the rows of a submission in isolation and explains what did not compile."""

import json
import re

from nbody_lab.core.manifest import Manifest, ManifestError
from nbody_lab.explain.failure import explain_failure
from nbody_lab.grade.box import row_names
from nbody_lab.grade.limits import EXTRA_S, too_much

ONE_S, EACH_S = (
    30,
    6,
)  # processor time of one compiler; extra time per program, which takes one or two
MOST_LINES, LONGEST_LINE = 2000, 500  # longest log that is explained: long logs take long
NOT_CONFIGURED = "rebuilding 'build.ninja'"  # Ninja's message when CMake refuses flags.txt
LOG_KEPT = 16_000  # characters kept from the end


def build(box, isolation, limits, allowance, part):
    """([row, ...] as in the measured file, problems)"""
    names, too_many = row_names(box.tree / box.pristine.parts[part])
    problems = (
        [f"{part}: {len(names) + len(too_many)} rows; the first {len(names)} are graded"]
        if too_many
        else []
    )
    worksheet, targets = (
        f"{part}_worksheet_program",
        [f"{part}_{name}{what}" for name in names for what in ("", "_double", "_count")],
    )
    ended = run_ninja(box, isolation, limits, allowance, [*targets, worksheet])
    log = text_of(ended)
    if NOT_CONFIGURED in log and box.bring_back(part, "flags.txt"):
        run_ninja(
            box, isolation, limits, allowance, [worksheet]
        )  # bad flags must not cost the answers
    elif not box.is_built(part, "worksheet_answers") and box.bring_back(part, "worksheet.hpp"):
        # worksheet.hpp is part of every row's program, for the Gflop/s display: it must not cost the code.
        problems.append(
            f"{part}: worksheet.hpp does not compile: {first_error(log) or reason(ended)}"
        )
        ended = run_ninja(box, isolation, limits, allowance, targets)
        log = text_of(ended) or log
    if ended.why:
        problems.append(f"{part}: {reason(ended)}")
    said = explained(box, log) if ended.status != 0 else ""
    rows = manifest_rows(box)
    return (
        [row_of(box, part, name, rows, log, said or reason(ended)) for name in names],
        [{"stage": "build", "text": text} for text in problems + left_out(box, part)]
        + foreign_includes(box, part),
    )


def run_ninja(box, isolation, limits, allowance, targets):
    """Runs Ninja; ONE_S limits each compiler, and all together get more."""
    limits = limits._replace(
        cpu_s=ONE_S + len(targets) * EACH_S,
        wall_s=min(ONE_S + len(targets) * EACH_S, allowance.left()),
    )
    ninja = [
        "prlimit",
        f"--cpu={ONE_S}:{ONE_S + EXTRA_S}",
        "ninja",
        "-C",
        str(box.build_inside),
        "-j1",
        "-k0",
        *targets,
    ]
    read_only, writable = box.to_build()
    return isolation.run(
        ninja, limits, read_only, writable, folder="/", environment={"PATH": box.pristine.path()}
    )


def text_of(ended):
    return ended.stdout.decode("utf-8", "replace") + ended.stderr.decode("utf-8", "replace")


def first_error(log):
    found = re.search(r"^[^\n]*worksheet\.hpp:(\d+):\d+: (?:fatal )?error: ([^\n]*)", log, re.M)
    return f"line {found[1]}: {found[2][:200]}" if found else ""


def reason(ended):
    return f"building was stopped: {too_much(ended.why)}" if ended.why else "building failed"


def explained(box, log):
    """The build log as ./lab explains it to the student."""
    lines = log.replace(str(box.tree_inside), str(box.tree)).splitlines()[:MOST_LINES]
    text = "\n".join(line[:LONGEST_LINE] for line in lines) + "\n"
    file = box.folder / "build.log"
    file.write_text(text, encoding="utf-8")
    try:
        text = "\n".join(explain_failure(file, box.tree, box.build).lines)
    except Exception as fault:  # pylint: disable=broad-except  # a strange log never costs a student his row
        text = f"(not explained: {type(fault).__name__})"
    return text.replace(str(box.tree) + "/", "").replace(f"; log: {file}", "").strip()


# Headers of the lab for the checker and its references, not for simulators.
NOT_GIVEN = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:[./]*common/)?((?:physics|check|bench|protocol|work|attempt|bodies)/[^>\"]*)",
    re.M,
)


def foreign_includes(box, part):
    """Includes that a person should look at: falling back to the reference gives right results that are not the
    student's."""
    folder = box.pristine.parts[part]
    found = []
    for file in sorted((box.tree / folder).iterdir()):
        name = f"{folder}/{file.name}"
        if file.suffix in (".hpp", ".cuh", ".h") and not box.pristine.is_untouched(name, file):
            for header in NOT_GIVEN.findall(file.read_text(encoding="utf-8", errors="replace")):
                found.append(
                    {
                        "stage": "code",
                        "text": f"{name} includes {header}, which belongs to the checker: a person should look",
                    }
                )
    return found


def manifest_rows(box):
    """{(part, name): row} of CMake's manifest, written before any code of the submission could run."""
    try:
        return {
            (row["part"], row["name"]): row for row in Manifest(box.build / "manifest.json").rows
        }
    except (ManifestError, KeyError, TypeError):
        return {}


def left_out(box, part):
    try:
        text = (box.build / "notices.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line for line in text.splitlines() if line.startswith(f"{box.pristine.parts[part]}/")]


def in_students_words(box, log):
    """The log with the student's paths."""
    for tree in (box.tree_inside, box.tree):
        log = log.replace(f"{tree}/", "")
    return log


def row_of(box, part, name, rows, log, problem):
    row, folder = rows.get((part, name), {}), box.pristine.parts[part]
    source = next(
        (
            file
            for file in (f"{folder}/{name}.hpp", f"{folder}/{name}.cuh")
            if (box.tree / file).exists()
        ),
        "",
    )
    built = box.is_built(part, name)
    return {
        "name": name,
        "source": source,
        "flags": " ".join(row.get("flags", [])),
        "untouched": bool(source) and box.pristine.is_untouched(source, box.tree / source),
        "built": built,
        "in_double": box.is_built(part, f"{name}_double"),
        "build_problem": "" if built else problem,
        "build_log": in_students_words(box, log)[-LOG_KEPT:]
        if not built or "warning:" in log
        else "",
    }


def boxed_manifest(course, box, isolation, limits, part, rows):
    """A manifest for bin/check and bin/bench: this lab's references, and these rows in the sandbox."""
    references, launcher = (
        course.references,
        isolation.words(
            [], limits, box.to_run(), [], folder="/", gpu=course.on_gpu(part), serves=True
        ),
    )
    known = [
        row.model_dump(by_alias=True)
        for row in references.of_part(part)
        if row.kind in ("naive", "solution")
    ]
    template = references.of_part(part, "mine")[0].model_dump(by_alias=True)
    for row in known:
        absolute(row, references.file.parent)
    for one in rows:
        programs = [
            {
                "precision": precision,
                "instruction_set": "",
                "program": str(box.program(part, one["name"] + suffix)),
                "target": "",
            }
            for precision, suffix, there in (
                ("float", "", one["built"]),
                ("double", "_double", one["in_double"]),
            )
            if there
        ]
        known.append(
            {
                **template,
                "name": one["name"],
                "flags": one["flags"].split(),
                "source": one["source"],
                "count": None,
                "program": programs[0]["program"] if programs else "",
                "programs": programs,
                "launcher": launcher,
            }
        )
    parts = [{**row.model_dump(), "launcher": []} for row in references.parts if row.name == part]
    file = box.folder / f"{part}_manifest.json"
    file.write_text(
        json.dumps({"version": 2, "parts": parts, "implementations": known}), encoding="utf-8"
    )
    return file


def absolute(row, folder):
    row["program"] = str(folder / row["program"])
    row["programs"] = [
        {**program, "program": str(folder / program["program"])} for program in row["programs"]
    ]
    if row.get("count"):
        row["count"] = {**row["count"], "result": str(folder / row["count"]["result"])}
