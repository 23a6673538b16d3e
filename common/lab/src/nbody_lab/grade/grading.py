"""What ./lab grade does: measures a class, scores it, writes its tables and pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.handed_out import warn_if_edited
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.words import nearest, plural
from nbody_lab.grade import kept
from nbody_lab.grade.course import Course, cores
from nbody_lab.grade.decided import check_decided, read_decided
from nbody_lab.grade.decisions import UNKNOWN_TIME
from nbody_lab.grade.evidence import evidence
from nbody_lab.grade.in_use import alone_here, alone_in
from nbody_lab.grade.intake import Submission, find_submissions
from nbody_lab.grade.measure import measure_all
from nbody_lab.grade.models import Record, Results, ScoredWith
from nbody_lab.grade.outputs import write_tables
from nbody_lab.grade.pages import write_pages
from nbody_lab.grade.rubric import PUBLISHED, Rubric, read_rubric
from nbody_lab.grade.score import score
from nbody_lab.grade.score_items import NEVER_ASKED
from nbody_lab.grade.set_up import claim, course_of, prove, require_own_folder
from nbody_lab.notebook.file import shown


@dataclass(frozen=True)
class Measuring:
    """How a class is measured."""

    part: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    jobs: int | None = None


def parts_to_grade(asked: Sequence[str], rubric: Rubric) -> list[str]:
    """The asked ones, by default those of the rubric. Raises LabError."""
    for part in asked:
        if part not in rubric.parts:
            raise LabError(
                f"the rubric gives no points for {part}, only for "
                f"{' and '.join(sorted(rubric.parts))}: --rubric FILE names another"
            )
    return list(asked) or sorted(rubric.parts)


def remember_files(out: Path, given: ScoredWith) -> ScoredWith:
    """The given files; where there are none those of the last run, so that a forgotten option loses no points given by
    hand. "none" drops them."""
    before: dict[str, tuple[str, ...]] = dict(kept.read_list(out).files)
    found: dict[str, tuple[str, ...]] = {}
    for name, words in dict(given).items():
        if words or not before[name]:
            absolute = (str(Path(word).resolve()) for word in words)
            found[name] = () if words == ("none",) else tuple(absolute)
        else:
            found[name] = before[name]
            files = " ".join(map(shown, before[name]))
            say(f"--{name} {files}, as before (--{name} none: without)")
    return ScoredWith(**found)


def read_rules(files: ScoredWith) -> Rubric:
    return read_rubric(files.rubric[0] if files.rubric else PUBLISHED)


# --- scoring: runs no student code ---


def _require_measured(parts: Sequence[str], records: Sequence[Record], out: Path) -> None:
    """A part that nobody was measured for: its marks would replace those that are there."""
    measured = sorted({part for record in records for part in record.parts})
    for part in parts:
        if part not in measured:
            there = " and ".join(measured) or "nothing"
            raise LabError(f"{part} was not measured in {out}, only {there}")


def _remark_on_times(results: Results) -> Iterator[str]:
    """Without a time nobody is late."""
    unknown = sum(one.late.why == UNKNOWN_TIME for one in results.submissions)
    if unknown:
        yield (
            f"the rubric has a deadline, but {plural(unknown, 'time')} of submission "
            f"{'is' if unknown == 1 else 'are'} unknown: --moodle FILE has them, or --late FILE the days"
        )


def _remark_on_speeds(results: Results, out: Path) -> Iterator[str]:
    """With the command that times them, whatever this one was."""
    without = [
        one.name
        for one in results.submissions
        if any(mark.why == NEVER_ASKED for mark in one.items)
    ]
    if without:
        class_folder = kept.read_list(out).class_folder
        where = shown(class_folder) if class_folder else "CLASS"
        yield (
            f"{plural(len(without), 'submission was', 'submissions were')} not timed with the threads and bodies of this "
            f"rubric: ./lab grade {where} -o {shown(out)} measures {'it' if len(without) == 1 else 'them'} again "
            "(without --only)"
        )


def _write_scores(out: Path, files: ScoredWith, parts: Sequence[str]) -> None:
    """Writes results.json and everything made from it, and prints the table."""
    records = kept.with_times(kept.records_in(out), files.moodle)
    rubric, known = read_rules(files), kept.read_list(out)
    manual, late, remarks = read_decided(files, [one.submission for one in records], known.removed)
    results = score(records, rubric, manual, late, parts=parts or known.parts)
    lines = write_tables(out, results, Path(files.moodle[0]) if files.moodle else None)
    earlier = [Path(folder) for folder in files.earlier]
    solutions = [folder for folder in [ROOT / "solutions"] if folder.is_dir()]
    by_name = {record.submission.name: record for record in records}
    found = evidence(out, by_name, [*earlier, *solutions])
    kept.keep_list(out, files=files)  # only those that could be read
    write_pages(out, results, by_name, rubric, found, manual)
    for line in [*remarks, *_remark_on_times(results), *_remark_on_speeds(results, out), *lines]:
        print(line)
    print(f"{shown(out)}: grades.csv, moodle.csv, results.json, export/, index.html")


def rescore(out: Path, given: ScoredWith, parts: Sequence[str]) -> None:
    """Scores again what was measured there."""
    kept.measured_in(out)
    with alone_in(out):
        files = remember_files(out, given)
        if parts:
            asked = parts_to_grade(parts, read_rules(files))
            _require_measured(asked, kept.records_in(out), out)
        _write_scores(out, files, parts)


# --- measuring ---


def find_class(folder: Path, names: Sequence[str]) -> tuple[Path, list[Submission]]:
    """Raises LabError if it is no class, or has none of a name."""
    if not folder.is_dir():
        raise LabError(
            f"{folder}: no such folder; ./lab grade needs one with a folder or an archive per "
            "submission"
        )
    found = find_submissions(folder.resolve())
    if not found:
        raise LabError(f"{folder} holds no submissions: it needs a folder or an archive for each")
    there = [one.name for one in found]
    for name in names:
        if name not in there:
            raise LabError(
                f"there is no submission '{name}'{nearest(name, there)} (--dry-run lists them)"
            )
    return folder.resolve(), found


def grade_class(
    lab: Lab,
    class_folder: Path,
    out: Path,
    given: ScoredWith,
    how: Measuring,
) -> None:
    folder, found = find_class(class_folder, how.only)
    submissions = [one for one in found if not how.only or one.name in how.only]
    files = remember_files(out, given)
    rubric = read_rules(files)
    parts = parts_to_grade(how.part, rubric)
    for part in parts:  # measured with the original all the same (pristine.py)
        warn_if_edited(ROOT, part)
    out = out.resolve()
    require_own_folder(out, folder)
    with alone_in(out):
        claim(out, folder)
        everybody = kept.submissions_to_keep(out, found, submissions)
        removed = kept.removed_from(out, found)
        check_decided(out, files, rubric, everybody, removed, how.part)
        with alone_here():
            course = course_of(lab, out, rubric, parts, len(submissions))
            who = tuple(one.who for one in everybody)
            kept.keep_list(out, parts=how.part, submissions=who, removed=tuple(removed))
            kept.clear_removed(out, removed)
            _measure_class(course, submissions, how.jobs or max(1, cores()))
        _write_scores(out, files, how.part)


def _measure_class(course: Course, submissions: Sequence[Submission], jobs: int) -> None:
    waiting = kept.to_measure(course, submissions)
    if waiting:
        prove(course, len(waiting), jobs)
    kept.drop_stale(course, submissions)
    measure_all(course, submissions, jobs)
