"""Measures a class: builds and judges several submissions at once, then times them one by one on an idle machine.

Each submission ends as OUT/measured/NAME.json, whatever happens. Existing records are not measured again, so that an
interrupted run continues. This module gives no points.
"""

import concurrent.futures
import datetime
import json
import secrets
import shutil
import time
import traceback

from nbody_lab.core.whole_file import write_text
from nbody_lab.grade import building, judging, timing
from nbody_lab.grade.archives import checksum, unpack
from nbody_lab.grade.box import Box, OwnBox, row_names
from nbody_lab.grade.identity import identified
from nbody_lab.grade.isolation import COMPILE, RUN
from nbody_lab.grade.kept import write_record
from nbody_lab.grade.limits import Allowance, budget_of
from nbody_lab.grade.overlay import store, take
from nbody_lab.grade.part_folders import part_folders

VERSION = 1
RUN_LIMITS = RUN._replace(
    cpu_s=900, wall_s=60
)  # for a program that answers many requests, each with its own time limit


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def told_of(submission):
    keys = ("name", "authors", "student_id", "kind", "submitted", "group")
    told = {
        **{key: getattr(submission, key) for key in keys},
        "source": str(submission.source),
        "checksum": "",
        "late": submission.late,
    }
    # A file's date is that of its last copy.
    return told if submission.time_from == "Moodle's list" else {**told, "submitted": ""}


def empty_record(course, submission, seed):
    return {
        "version": VERSION,
        "submission": told_of(submission),
        "machine": course.machine,
        "isolation": {"kind": course.isolation.kind, "banner": course.isolation.banner},
        "seed": seed or secrets.randbelow(10**14) + 1,
        "date": now(),
        "lab": course.lab,
        "timings": {
            part: [one.model_dump() for one in some] for part, some in course.timings().items()
        },
        "seconds": {},
        "taken": [],
        "ignored": [],
        "problems": [],
        "parts": {},
    }


def problem(record, stage, text):
    record["problems"].append({"stage": stage, "text": text})


def collect(course, submission, record, folder):
    """The files to grade, as kept in OUT/taken; {} if there are none."""
    start = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    for text in unpack(submission, folder):
        problem(record, "unpack", text)
    every_part = part_folders(course.pristine.tree)
    taken = take(folder, [part for part in every_part if part.name in course.parts], every_part)
    submission, problems = identified(submission, taken)
    for text in problems:
        problem(record, "names", text)
    kept = course.out / "taken" / submission.name
    shutil.rmtree(kept, ignore_errors=True)
    store(taken, kept)
    shutil.rmtree(folder, ignore_errors=True)
    record.update(
        submission={**told_of(submission), "checksum": checksum(submission)},
        ignored=taken.ignored,
        taken=sorted(taken.files),
    )
    record["seconds"]["unpack"] = time.monotonic() - start
    for text in taken.unclear.values():
        problem(record, "names", text)
    return {name: kept / name for name in taken.files}, taken.unclear


def box_of(course, record, part):
    """The part's own box: each part is built separately, so that an error in one cannot affect another."""
    kind = Box if course.isolation.kind == "bubblewrap" else OwnBox
    return kind(course.out / "work" / record["submission"]["name"] / part, course.pristine)


def files_of_part(course, files, part):
    """All files, because a part may use another's, except the flags.txt of other parts, which can stop CMake."""
    own = course.pristine.parts[part]
    return {
        name: file
        for name, file in files.items()
        if name.rpartition("/")[2] != "flags.txt" or name.startswith(f"{own}/")
    }


def grader_failed(course, record, what, fault):
    """Reports the failure to the reader, and keeps the traceback for whoever repairs it."""
    name = record["submission"]["name"]
    problem(
        record, "grader", f"{what}, not the submission's fault: {type(fault).__name__}: {fault}"
    )
    write_text(course.out / "failures" / f"{name}.txt", traceback.format_exc())


def leave_to_a_person(rows, unclear):
    """Leaves rows with several differing versions to a person: they were built as given, which says nothing about the
    student."""
    for row in rows:
        if row["source"] in unclear:
            row.update(
                untouched=False, check={**judging.NOT_BUILT, "problem": unclear[row["source"]]}
            )


def judge_part(course, isolation, record, part, files, unclear):
    start, told, seconds = time.monotonic(), record["parts"][part], record["seconds"]
    box = box_of(course, record, part)
    box.fill(files_of_part(course, files, part), part)
    allowance = Allowance(
        isolation.to_watch(RUN_LIMITS),
        budget_of(len(row_names(box.tree / course.pristine.parts[part])[0])),
    )
    rows, problems = building.build(box, isolation, COMPILE, allowance, part)
    record["problems"] += problems
    seconds["build"] = seconds.get("build", 0) + time.monotonic() - start
    start = time.monotonic()
    told.update(
        judging.judge_part(
            course, box, isolation, RUN_LIMITS, allowance, part, rows, record["seed"]
        )
    )
    leave_to_a_person(told["rows"], unclear)
    box.keep_programs()
    told["used_s"] = allowance.used()
    seconds["check"] = seconds.get("check", 0) + time.monotonic() - start


def judge(course, submission, seed=0):
    """Does everything but timing. Leaves judged.json and the programs."""
    record = empty_record(course, submission, seed)
    try:
        files, unclear = collect(
            course, submission, record, course.out / "work" / submission.name / "unpacked"
        )
        handed_in = {
            part
            for part, folder in course.pristine.parts.items()
            if any(name.startswith(f"{folder}/") for name in (*files, *unclear))
        }
        for part in course.parts:
            reason = course.reason_against(part)
            state = (
                "nothing handed in"
                if part not in handed_in
                else "not graded here"
                if reason
                else "measured"
            )
            record["parts"][part] = {
                "state": state,
                "reason": reason if part in handed_in else "",
                "rows": [],
                "worksheet": None,
                "notebook": None,
            }
    except Exception as fault:  # pylint: disable=broad-except  # one submission never stops the class
        grader_failed(course, record, "the grader failed here", fault)
    with course.own_isolation() as isolation:
        for part, told in record["parts"].items():
            try:
                if told["state"] == "measured":
                    judge_part(course, isolation, record, part, files, unclear)
            except Exception as fault:  # pylint: disable=broad-except  # a fault of the grader gives no zero
                grader_failed(course, record, f"the grader failed at {part}", fault)
                told.update(
                    state="not graded here", reason="the grader failed: measure it again", rows=[]
                )
    write_text(course.judged(submission.name), json.dumps(record))
    return record


def time_part(course, isolation, record, part):
    """Repeats late answers alone, then times the correct rows."""
    told, seed = record["parts"][part], record["seed"]
    box = box_of(course, record, part)
    allowance = Allowance(
        isolation.to_watch(RUN_LIMITS), budget_of(len(told["rows"])), told["used_s"]
    )
    manifest = building.boxed_manifest(course, box, isolation, RUN_LIMITS, part, told["rows"])
    judging.check_alone(
        course, allowance, manifest, part, told["rows"], seed, box.folder / "check.json"
    )

    def clock(names, setup, seed):
        return timing.timed(
            course.programs / "bench",
            manifest,
            part,
            names,
            setup,
            seed,
            box.folder / "bench.json",
            allowance,
        )

    timing.time_rows(
        clock,
        told["rows"],
        course.solution(part),
        timing.times_wanted(course.rubric, part),
        seed,
        course.ceilings,
        course.on_gpu(part),
    )


def time_it(course, name):
    """The last step for one submission; afterwards its programs are deleted."""
    record = json.loads(course.judged(name).read_text(encoding="utf-8"))
    start = time.monotonic()
    with course.own_isolation() as isolation:
        for part, told in record["parts"].items():
            try:
                if told["state"] == "measured":
                    time_part(course, isolation, record, part)
            except Exception as fault:  # pylint: disable=broad-except
                grader_failed(course, record, f"the grader failed while it timed {part}", fault)
                timing.untimed(told["rows"], "the grader failed: measure it again")
            told.pop("used_s", None)
            for row in told["rows"]:
                del row["in_double"], row["late"]
    record["seconds"] = {
        stage: round(seconds, 2)
        for stage, seconds in {**record["seconds"], "timing": time.monotonic() - start}.items()
    }
    write_record(course.measured(name), record)
    shutil.rmtree(course.out / "work" / name, ignore_errors=True)
    return record


def in_a_line(record):
    """The result in one line."""
    words = []
    for part, told in record["parts"].items():
        rows = [row for row in told["rows"] if not row.get("untouched")]
        right = sum(row.get("check", {}).get("verdict") == "passed" for row in rows)
        words.append(
            f"{part} {right} of {len(rows)} right"
            if rows
            else f"{part} {told['state'] if told['state'] != 'measured' else 'as it was given'}"
        )
    count = len(record["problems"])
    words += [f"{count} problem{'s' if count > 1 else ''}"] if count else []
    return f"{record['submission']['name']}: {', '.join(words)} ({sum(record['seconds'].values()):.0f} s)"


def measure_all(course, submissions, jobs, progress, seed=0):
    """Measures the submissions without a record. `seed` repeats an earlier measurement; by default it stays secret
    until the submission is measured."""
    waiting = [one for one in submissions if not course.measured(one.name).exists()]
    to_judge = [one for one in waiting if not course.judged(one.name).exists()]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        working = progress("checking", len(to_judge))

        def one_more(submission):
            working.at(submission.name)
            working.finished(in_a_line(judge(course, submission, seed)))

        try:
            for future in concurrent.futures.as_completed(
                [pool.submit(one_more, one) for one in to_judge]
            ):
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    working = progress("timing", len(waiting))
    for one in waiting:
        working.at(one.name)
        if not course.judged(one.name).exists():
            judge(course, one, seed)
        working.finished(in_a_line(time_it(course, one.name)))
