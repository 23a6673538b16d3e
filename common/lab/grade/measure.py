"""Measures a class: builds and judges several submissions at once, then times one after the other with nothing beside.

Each submission ends as OUT/measured/NAME.json, whatever happened to it; what is there is not measured again, so that an
interrupted run goes on. Nothing in here gives points.
"""

import concurrent.futures
import datetime
import json
import shutil
import time
import traceback

from grade import building, judging, timing
from grade.archives import checksum, unpack
from grade.box import Box
from grade.identity import identified
from grade.isolation import COMPILE, RUN
from grade.overlay import store, take
from grade.part_folders import part_folders
from whole_file import write_text

VERSION = 1
RUN_LIMITS = RUN._replace(cpu_s=900, wall_s=60)  # of a program that answers many requests; each has its own time


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def told_of(submission):
    keys = ("name", "authors", "student_id", "kind", "submitted", "group")
    told = {**{key: getattr(submission, key) for key in keys}, "source": str(submission.source), "checksum": "", "late": submission.late}
    # The date of a file is the one on which somebody copied it.
    return told if submission.time_from == "Moodle's list" else {**told, "submitted": ""}


def empty_record(course, submission):
    return {"version": VERSION, "submission": told_of(submission), "machine": course.machine,
            "isolation": {"kind": course.isolation.kind, "banner": course.isolation.banner}, "seed": course.seed_of(submission.name),
            "date": now(), "lab": course.lab, "timings": course.timings(), "seconds": {}, "taken": [], "ignored": [], "problems": [], "parts": {}}


def problem(record, stage, text):
    record["problems"].append({"stage": stage, "text": text})


def collect(course, submission, record, folder):
    """The files that count, as OUT/taken keeps them; {} where there are none."""
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
    record.update(submission={**told_of(submission), "checksum": checksum(submission)}, ignored=taken.ignored, taken=sorted(taken.files))
    record["seconds"]["unpack"] = time.monotonic() - start
    return {name: kept / name for name in taken.files}


def tell_instructor(course, name):
    """Where the grader itself failed, for whoever mends it."""
    write_text(course.out / "failures" / f"{name}.txt", traceback.format_exc())


def judge(course, submission):
    """Everything but the time. Leaves judged.json and the programs."""
    record = empty_record(course, submission)
    work = course.out / "work" / submission.name
    box = Box(work / "box", course.pristine)
    try:
        files = collect(course, submission, record, work / "unpacked")
        handed_in = {part for part, folder in course.pristine.parts.items() if any(name.startswith(f"{folder}/") for name in files)}
        for part in course.parts:
            reason = course.reason_against(part)
            state = "nothing handed in" if part not in handed_in else "not graded here" if reason else "measured"
            record["parts"][part] = {"state": state, "reason": reason if part in handed_in else "", "rows": [], "worksheet": None, "notebook": None}
        parts = [part for part in course.parts if record["parts"][part]["state"] == "measured"]
        if parts:
            box.fill(files)
            with course.own_isolation() as isolation:
                rows, record["seconds"]["build"], problems = building.build(box, isolation, COMPILE, parts)
                record["problems"] += problems
                record["seconds"]["check"] = 0
                for part in parts:
                    told, seconds = judging.judge_part(box, isolation, RUN_LIMITS, part, rows[part], course.references, course.programs, record["seed"])
                    record["parts"][part].update(told)
                    record["seconds"]["check"] += seconds
            box.keep_programs()
    except Exception as fault:  # pylint: disable=broad-except  # one submission never stops the class
        problem(record, "grader", f"the grader failed here, which is no fault of the submission: {type(fault).__name__}: {fault}")
        tell_instructor(course, submission.name)
        for told in record["parts"].values():  # nobody gets a zero for it
            if told["state"] == "measured" and not told["rows"]:
                told.update(state="not graded here", reason="the grader failed: measure it again")
    write_text(course.judged(submission.name), json.dumps(record))
    return record


def time_it(course, name):
    """The last step of one submission; then its programs go."""
    record = json.loads(course.judged(name).read_text(encoding="utf-8"))
    work = course.out / "work" / name
    box = Box(work / "box", course.pristine)
    start = time.monotonic()
    try:
        with course.own_isolation() as isolation:
            for part, told in record["parts"].items():
                if told["state"] == "measured":
                    launcher = isolation.words([], RUN_LIMITS, box.to_run(), [], folder="/", gpu=course.on_gpu(part))
                    manifest = building.boxed_manifest(box, course.references, part, told["rows"], launcher)
                    timing.time_rows(course.programs / "bench", manifest, part, told["rows"], course.solution(part),
                                     timing.times_wanted(course.rubric, part), record["seed"], course.ceilings, box.folder / "bench.json",
                                     course.on_gpu(part))
    except Exception as fault:  # pylint: disable=broad-except
        problem(record, "grader", f"the grader failed while it timed: {type(fault).__name__}: {fault}")
        tell_instructor(course, name)
    for part in record["parts"].values():
        for row in part["rows"]:
            del row["in_double"]
            row.setdefault("speed", [])
            row.setdefault("not_timed", "the grader failed")
            row.setdefault("check", None)
            row.setdefault("counts", None)
    record["seconds"] = {stage: round(seconds, 2) for stage, seconds in {**record["seconds"], "timing": time.monotonic() - start}.items()}
    write_text(course.measured(name), json.dumps(record, indent=1) + "\n")
    shutil.rmtree(work, ignore_errors=True)
    return record


def in_a_line(record):
    """What became of it."""
    words = []
    for part, told in record["parts"].items():
        rows = [row for row in told["rows"] if not row.get("untouched")]
        right = sum(row.get("check", {}).get("verdict") == "passed" for row in rows)
        words.append(f"{part} {right} of {len(rows)} right" if rows else f"{part} {told['state'] if told['state'] != 'measured' else 'as it was given'}")
    count = len(record["problems"])
    words += [f"{count} problem{'s' if count > 1 else ''}"] if count else []
    return f"{record['submission']['name']}: {', '.join(words)} ({sum(record['seconds'].values()):.0f} s)"


def measure_all(course, submissions, jobs, progress):
    """Those that are measured already stay as they are."""
    waiting = [one for one in submissions if not course.measured(one.name).exists()]
    to_judge = [one for one in waiting if not course.judged(one.name).exists()]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        working = progress("checking", len(to_judge))

        def one_more(submission):
            working.at(submission.name)
            working.finished(in_a_line(judge(course, submission)))
        try:
            for future in concurrent.futures.as_completed([pool.submit(one_more, one) for one in to_judge]):
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    working = progress("timing", len(waiting))
    for one in waiting:
        working.at(one.name)
        if not course.judged(one.name).exists():
            judge(course, one)
        working.finished(in_a_line(time_it(course, one.name)))
