"""Faults in the lab's Python that its tests must find, each in one function.

    python -m tests.mutation.faults [NAME...]     plants them one after another, runs the tests of their folder, and says which are found

A row: the function by its qualified name (FILE:Class.function, FILE: for the module), what is wrong then, and an edit of its syntax tree, so
that a change of layout does not matter. `gives` returns another expression at once; `instead` replaces an expression or
statement of the function, written as ast.unparse() writes it.
"""

import ast
import os
import subprocess
import sys
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.commands.tests import kill_marked
from nbody_lab.core.messages import UserError

LAB = ROOT / "common/lab/src/nbody_lab"
TESTS = ROOT / "common/lab/tests"

MARK = "LAB_FAULT_RUN"
LONGEST_S = 300  # of one test file
FOUND = (1, 2)  # statuses of pytest: a test fails, or a file cannot be collected
OTHER_TESTS = {
    "worksheet/judge.py": [ROOT / "part1_standard_opti/questions_test.py"],
}

# Tests of seconds and minutes, which come last.
SLOW = (
    "all_pictures_test",
    "archives_test",
    "building_test",
    "class_test",
    "evidence_test",
    "failure_test",
    "isolation_test",
    "overlay_test",
    "command_test",
    "contained_test",
    "submissions_test",
    "pages_test",
    "measure_test",
    "uncountable_test",
)

Fault = namedtuple("Fault", "file function wrong edit")


class NoSuchPlace(UserError):
    """The function, or what is to be replaced in it, is not there any more."""


def gives(text):
    def edit(function):
        function.body = ast.parse(f"return {text}" if text is not None else "return").body

    return edit


class Replace(ast.NodeTransformer):
    def __init__(self, old, new):
        self.old, self.new, self.done = old, new, 0

    def generic_visit(self, node):
        is_target = isinstance(getattr(node, "ctx", None), ast.Store)  # of an assignment
        if (
            isinstance(node, (ast.expr, ast.stmt))
            and not is_target
            and ast.unparse(node) == self.old
        ):
            self.done += 1
            made = (
                ast.parse(self.new).body[0]
                if isinstance(node, ast.stmt)
                else ast.parse(self.new, mode="eval").body
            )
            return ast.copy_location(made, node)
        return super().generic_visit(node)


def instead(old, new):
    def edit(function):
        replace = Replace(ast.unparse(ast.parse(old)), new)
        function.body = [replace.visit(statement) for statement in function.body]
        if not replace.done:
            raise NoSuchPlace(f"{getattr(function, 'name', 'the module')} holds no '{old}'")

    return edit


def row(place, wrong, edit):
    file, function = place.split(":")
    return Fault(file, function, wrong, edit)


FAULTS = tuple(
    row(*one)
    for one in (
        # Watch and cases.
        (
            "watching/watch.py:Watch._start",
            "a save during a check is forgotten with the one before",
            instead("self._due.discard(what)", "self._due"),
        ),
        (
            "watching/watch.py:Watch._saved",
            "a save of the worksheet is not seen",
            instead("WORKSHEET in names", "False"),
        ),
        (
            "watching/terminal.py:Terminal.stop",
            "the terminal is not given back",
            gives(None),
        ),
        (
            "watching/changes.py:_in_words",
            "another seed is a new diagnosis",
            gives("text"),
        ),
        (
            "cases/judge.py:judge",
            "every line is right once the cause is",
            instead("line in case.lines", "True"),
        ),
        (
            "cases/catalogue.py:record_solved",
            "solving again changes the day",
            instead("number not in before", "True"),
        ),
        # Grade: points.
        (
            "grade/score_items.py:round_points",
            "points are cut, not rounded",
            gives("int(points)"),
        ),
        (
            "grade/score_items.py:Item.ungraded",
            "what cannot be graded has zero points",
            instead("None", "0"),
        ),
        (
            "grade/models.py:Row.outcome",
            "what was not checked is right",
            instead("Outcome.NOT_CHECKED", "Outcome.RIGHT"),
        ),
        (
            "grade/score_items.py:mark_correctness",
            "wrong rows have the points of right ones",
            instead("0", "item.maximum"),
        ),
        (
            "grade/models.py:best_row",
            "the worst row speaks for the part",
            instead("min", "max"),
        ),
        (
            "grade/score_items.py:count_tries",
            "a copied row of the notebook counts again",
            instead("row.idea.strip()", "id(row)"),
        ),
        (
            "grade/score_items.py:count_tries",
            "a row without a prediction is a try",
            instead("not needs_prediction", "True"),
        ),
        (
            "grade/score_items.py:is_undecided",
            "lines that could not be judged cost points",
            gives("False"),
        ),
        (
            "grade/score.py:_why_unreadable",
            "an unreadable submission has zero points",
            gives("None"),
        ),
        (
            "grade/score_items.py:_mark_without_right_row",
            "wrong code gets points for speed from a person without the gate",
            instead("found is Outcome.WRONG and (not gates)", "found is Outcome.WRONG"),
        ),
        (
            "grade/score_items.py:_mark_doubtful",
            "what is faster than the machine is only noisy",
            instead("entry.above_bound", "False"),
        ),
        (
            "grade/score.py:_mark_submission",
            "points for lateness are added",
            instead("points - late.taken_off", "points + late.taken_off"),
        ),
        ("grade/score.py:_rows_too_good", "impossible speeds have no flag", gives("iter(())")),
        (
            "grade/score.py:_rows_wrong_while_timed",
            "code that cheats the clock has no flag",
            gives("iter(())"),
        ),
        (
            "grade/models.py:Marks.is_final",
            "a grade is final while a person still decides",
            gives("True"),
        ),
        (
            "grade/models.py:_in_students_words",
            "a student's page shows paths of the grader",
            gives("harmless(text)"),
        ),
        (
            "grade/models.py:Results._names_differ",
            "two submissions share a page",
            gives("self"),
        ),
        (
            "grade/decisions.py:days_after",
            "a day that has begun does not count",
            instead("math.ceil", "math.floor"),
        ),
        (
            "grade/decisions.py:judge_lateness",
            "free days are not free",
            instead("max(0, days - free)", "days"),
        ),
        (
            "grade/decisions.py:judge_lateness",
            "lateness can cost more than all points",
            instead(
                "min(1, max(0, days - free) * percent / 100)", "max(0, days - free) * percent / 100"
            ),
        ),
        # Grade: files and people.
        (
            "grade/feedback.py:neutralise",
            "a formula reaches the instructor's spreadsheet",
            gives("in_one_line(text)"),
        ),
        (
            "grade/decisions.py:parse_number",
            "a decimal comma is no number",
            instead("word.replace(',', '.')", "word"),
        ),
        (
            "grade/decisions.py:decode",
            "an old code page cannot be read",
            instead("content.decode('cp1252', 'replace')", "content.decode('utf-8', 'strict')"),
        ),
        (
            "grade/decisions.py:apply_manual",
            "more points by hand than there are",
            instead("row.points > mark.maximum", "False"),
        ),
        (
            "grade/decisions.py:_marks_called",
            "an item that two parts have means the last",
            instead("found[plain(mark.item)].append(mark)", "found[plain(mark.item)] = [mark]"),
        ),
        (
            "grade/decisions.py:find_submission",
            "a name that two submissions have means the first",
            instead("len(found) > 1", "False"),
        ),
        (
            "grade/decisions.py:named_twice",
            "whoever names a classmate gets a second row with points",
            gives("{}"),
        ),
        (
            "grade/board.py:_words_of",
            "a name without its accent is on the board",
            instead("not unicodedata.combining(one)", "True"),
        ),
        (
            "grade/board.py:pseudonyms_of",
            "one author puts the others on the board",
            instead("len(ones) < len(groups[name])", "False"),
        ),
        (
            "grade/outputs.py:_match",
            "an ambiguous name is filled in",
            instead("len(named) == 1", "named"),
        ),
        (
            "grade/class_facts.py:find_answer",
            "an answer holds the next one",
            instead("min(ends, default=len(text))", "len(text)"),
        ),
        (
            "grade/class_facts.py:_rank_of",
            "the strongest signs of cheating come last",
            gives("0"),
        ),
        (
            "grade/rubric.py:_lines_of",
            "a key of a rubric may come twice",
            instead("tuple(path) in lines", "False"),
        ),
        (
            "grade/archives.py:Unpacker._write",
            "an archive may hold any number of files",
            instead("self._files >= self.limits.files", "False"),
        ),
        (
            "grade/archives.py:Unpacker._content",
            "a file may unpack to any size",
            instead("len(content) > self.limits.file_bytes", "False"),
        ),
        (
            "grade/archives.py:Unpacker._content",
            "an archive may unpack to any size",
            instead("self._written > self.limits.written_bytes", "False"),
        ),
        (
            "grade/archives.py:_split_name",
            "a member leaves its folder",
            instead("'..' in parts", "False"),
        ),
        (
            "grade/archives.py:Unpacker.put",
            "a later member replaces one of another case",
            instead("key in self._names", "False"),
        ),
        (
            "grade/submissions.py:_is_submission",
            "a folder whose name begins with a dot has no row",
            instead("kind_of(path) in ('folder', 'zip', 'tar')", "False"),
        ),
        ("grade/overlay.py:Part.spell", "MINE.HPP gets no points", gives("name")),
        ("grade/overlay.py:_almost_mine", "nobody is asked about mine.cpp", gives("''")),
        (
            "grade/bubblewrap.py:_write_filter",
            "a sandbox has sockets of every family",
            instead("('socket', 'socketpair')", "()"),
        ),
        (
            "grade/bubblewrap.py:_write_filter",
            "a program takes room on the disk beyond its limit",
            instead("forbid('fallocate', error=errno.EOPNOTSUPP)", "None"),
        ),
        (
            "grade/contained.py:Contained._captured",
            "output beyond its limit goes unseen",
            instead("self.why or 'output'", "self.why"),
        ),
        (
            "grade/contained.py:_sealed",
            "a program writes into its input beyond every limit",
            instead("fcntl.F_SEAL_WRITE", "0"),
        ),
        ("grade/isolation.py:_find_leak", "a sandbox that leaks is used", gives("''")),
        ("grade/bubblewrap.py:_other_families", "ranks reach every network", gives("[]")),
        (
            "grade/measure.py:leave_to_person",
            "a worksheet of which there are two versions has no points",
            gives("part"),
        ),
        (
            "grade/models.py:Row.is_undecided",
            "a row without the header that was handed in twice does not compile",
            gives("False"),
        ),
        (
            "grade/timing.py:speed_of",
            "ranks that use their cores are doubted",
            instead("processes * setup.threads", "setup.threads"),
        ),
        (
            "grade/isolation.py:choose",
            "students' programs run without a sandbox",
            instead("not own_files", "False"),
        ),
        ("grade/limits.py:Groups.sweep", "groups of a killed grader stay", gives(None)),
        ("grade/isolation.py:_sweep_folders", "folders of a killed grader stay", gives(None)),
        (
            "grade/limits.py:Allowance.run",
            "a check outlives a killed grader",
            instead("[*DIES_WITH_GRADER, *map(str, words)]", "[*map(str, words)]"),
        ),
        (
            "grade/submissions.py:is_named",
            "part of a name is another person",
            gives("name in authors"),
        ),
        (
            "grade/exchange.py:deal",
            "students read themselves",
            instead("place + 1", "place"),
        ),
        (
            "grade/evidence.py:is_handed_in",
            "the last kept source is always what was handed in",
            gives("True"),
        ),
        (
            "grade/evidence.py:read_history",
            "made-up rows of a notebook are not counted",
            instead("row['row'].strip().lstrip('0') not in numbers", "False"),
        ),
        (
            "grade/similarity.py:_without_given",
            "given code makes submissions alike",
            instead("letters[at:at + _GRAM] in given", "False"),
        ),
        (
            "grade/similarity.py:compare",
            "short files are alike by chance",
            instead("tokens.size < _FEWEST_TOKENS", "False"),
        ),
        (
            "grade/exchange.py:",
            "a long comment without a blank takes hours",
            instead(
                r"re.compile('[\\w.+-]{1,64}@[\\w-]{1,64}\\.\\w')",
                r"re.compile('[\\w.+-]+@[\\w-]+\\.\\w')",
            ),
        ),
        (
            "grade/timing.py:_find_doubt",
            "all cores win the points of one thread",
            instead("threads != ON_GPU and row.cores_used > _MOST_CORES * threads", "False"),
        ),
        (
            "grade/timing.py:_find_doubt",
            "steps that were left out give all points",
            instead("share and share > _MOST_OF_SOLUTION", "False"),
        ),
        ("grade/models.py:Speed.is_sound", "a doubt changes no points", gives("True")),
        ("grade/building.py:says_disk_is_full", "a full disk costs points", gives("False")),
        (
            "grade/building.py:_run_ninja",
            "a busy machine's slow build costs points",
            instead("ended.why == 'wall time'", "False"),
        ),
        ("grade/building.py:blocks_of_row", "a row has the errors of others", gives("log")),
        (
            "grade/building.py:why_stopped",
            "a compiler out of memory is a missing brace",
            gives("None"),
        ),
        (
            "grade/judging.py:check_alone",
            "an honest program that waits for a core is wrong",
            instead("late and neighbours.keep_busy()", "False"),
        ),
        (
            "grade/judging.py:judge_part",
            "a notebook that nobody has chosen costs points",
            instead("why_no_notebook", "False"),
        ),
        ("grade/limits.py:patience", "a busy machine has no more time", gives("1.0")),
        (
            "grade/limits.py:require_space",
            "a disk without space is no matter",
            instead("free < LEAST_FREE", "False"),
        ),
        (
            "grade/similarity.py:_read_tokens",
            "digraphs hide a copy",
            instead("_SPELLED.get(token, token)", "token"),
        ),
        ("grade/judging.py:striking", "only the first failed case is kept", gives("cases[:1]")),
        (
            "grade/rubric.py:SpeedRule.threads_of",
            "each rank has all cores, and exceeds the limit of all",
            instead("cores // max(1, processes)", "cores"),
        ),
        ("grade/timing.py:_is_noisy", "a noisy time is scored", gives("False")),
        ("grade/timing.py:_ratios_agree", "two ratios of one speed are scored", gives("True")),
        ("grade/timing.py:find_bound", "nothing is faster than the machine", gives("None")),
        ("grade/limits.py:budget_of", "many rows share the time of one", gives("BUDGET_S")),
        (
            "grade/outputs.py:_gradescope_test",
            "partial points pass",
            instead("mark.points >= mark.maximum", "mark.points > 0"),
        ),
        (
            "grade/outputs.py:gradescope",
            "a score that is not final is shown",
            instead("marks.is_final", "True"),
        ),
        # Worksheet.
        ("worksheet/slips.py:_cut_division", "a cut division is not recognised", gives("''")),
        (
            "worksheet/judge.py:_judge_number",
            "an answer that waits is wrong",
            instead("not math.isfinite(expected)", "False"),
        ),
        ("worksheet/judge.py:_remark_on_unusual", "unusual values have no remark", gives("''")),
        (
            "worksheet/judge_counts.py:ClassAnswer.is_right",
            "one size is enough for a count",
            instead(
                "self.is_right_at(0, tolerance) and self.is_right_at(1, tolerance)",
                "self.is_right_at(0, tolerance)",
            ),
        ),
        (
            "worksheet/judge_counts.py:_direction",
            "too many is too few",
            instead("one.answer[0] > one.truth[0]", "one.answer[0] < one.truth[0]"),
        ),
        (
            "worksheet/judge_counts.py:_distance",
            "far off is told to the digit",
            instead("off > _CLOSE_ENOUGH_TO_TELL * max(truth, answer)", "False"),
        ),
        (
            "worksheet/expression.py:round_half_away_from_zero",
            "halves are rounded to even",
            gives("round(number)"),
        ),
        (
            "worksheet/expression.py:_power",
            "a complex power is a number",
            instead("isinstance(raised, complex)", "False"),
        ),
        (
            "core/count_file.py:Polynomial.at",
            "a polynomial lacks its constant",
            instead("(self.n2 * n + self.n) * n + self.constant", "(self.n2 * n + self.n) * n"),
        ),
        (
            "worksheet/sheet.py:_format_choices",
            "the score of choices appears before all are given",
            instead("given < len(choices)", "False"),
        ),
        (
            "worksheet/sheet.py:select_lines",
            "what is wrong in another task is not shown",
            instead("line.is_wrong", "False"),
        ),
        (
            "worksheet/evidence.py:speed_ups",
            "speed-ups compare rows of other sizes",
            instead("(one.name, one.n) != (many.name, many.n)", "one.name != many.name"),
        ),
        (
            "worksheet/sheet.py:Line.is_wrong",
            "wrong choices hold back what follows",
            instead(
                "self.state is State.WRONG and (not self.is_choice)", "self.state is State.WRONG"
            ),
        ),
        (
            "worksheet/judge.py:_remark_on_level",
            "memory passes for L1",
            gives("''"),
        ),
        (
            "worksheet/questions.py:_Checker._check_question",
            "a truth may be of any type",
            instead("not fits and (not is_missing(sample))", "False"),
        ),
        (
            "tasks/undo.py:keep_passed",
            "what computes as naive is kept as passed",
            instead("not computes_as_naive(text, file.parent)", "True"),
        ),
        (
            "tasks/next_task.py:find_empty_sections",
            "an empty notebook is not noticed",
            gives("[]"),
        ),
        # Roofline.
        (
            "roofline/model.py:_fewest_instructions",
            "fusing saves nothing",
            instead(
                "max(work.add, multiplied) if fused else work.add + multiplied",
                "work.add + multiplied",
            ),
        ),
        (
            "roofline/model.py:_l1_s",
            "stores take no time",
            instead("max(loaded, stored or 0.0)", "loaded"),
        ),
        (
            "roofline/model.py:_total",
            "what was not measured takes no time",
            gives("sum(time or 0 for time in times)"),
        ),
        (
            "roofline/model.py:_arithmetic",
            "the hot loop counts even if others do the work",
            instead("needed / 2", "0"),
        ),
        (
            "roofline/model.py:_processor_times",
            "threads do not share pow",
            instead("code.pow_s / place.threads", "code.pow_s"),
        ),
        (
            "roofline/counters.py:measured_flops",
            "a missing counter counts as none",
            instead("event not in counts or counts[event].value is None", "event not in counts"),
        ),
        # Bound.
        (
            "bound/instruction_kinds.py:count_issue_slots",
            "a comparison and its jump are two",
            gives("len(texts)"),
        ),
        (
            "bound/loop_bound.py:least_cycles",
            "dependency chains limit nothing",
            instead("counts.chain_cycles or 0.0", "0.0"),
        ),
        (
            "bound/loop_bound.py:find_step",
            "the scale of an index is ignored",
            instead("int(increment[1], 16) * max([*scales, 1])", "int(increment[1], 16)"),
        ),
        ("bound/loop_bound.py:times_beside", "neighbouring loops run as often", gives("1.0")),
        (
            "bound/instruction_kinds.py:count_results",
            "a vector instruction is one result",
            instead("arithmetic.lanes", "1"),
        ),
        ("bound/instruction_kinds.py:kind_of", "everything is other", gives("'other'")),
        (
            "bound/analysis.py:_hide",
            "a hidden bound shows the counts",
            instead("{'loop': loop, 'counted': {}, 'why_so_many': why}", "{'loop': loop}"),
        ),
        (
            "bound/loop_bound.py:_add_up",
            "loops beside it take no time",
            gives("{limit: cycles}"),
        ),
        (
            "bound/speed.py:find_gpu",
            "a devices program that fails is trusted",
            instead("run.returncode != 0", "False"),
        ),
        (
            "bound/sass.py:uses_matrix_units",
            "a matrix kernel's speed stands beside the bound of pairs",
            gives("False"),
        ),
        (
            "bound/sass.py:_find_main_loop",
            "a remainder loop is the main one",
            instead("(count_roots(texts), -len(texts))", "-len(texts)"),
        ),
        # Notebook.
        ("notebook/gain.py:_is_one", "no difference is too small", gives("False")),
        ("notebook/gain.py:_rounds_agree", "rounds need not agree", gives("True")),
        (
            "notebook/gain.py:verdict_on",
            "a loss where a gain was expected is as expected",
            instead("same_side", "not _is_one(expected)"),
        ),
        ("notebook/table.py:checksum", "edits by hand are not noticed", gives("'00000000'")),
        (
            "notebook/table.py:join_row",
            "a | in a cell breaks the table",
            instead(
                "re.sub('[\\\\x00-\\\\x1f\\\\x7f]', ' ', cell).strip().replace('|', '\\\\|')",
                "cell.strip()",
            ),
        ),
        (
            "notebook/columns.py:number",
            "negative numbers are numbers",
            instead("0 <= value < float('inf')", "value < float('inf')"),
        ),
        ("notebook/kept.py:free_number", "a kept source is overwritten", gives("number")),
        ("notebook/trial.py:_wrong_while_timed", "wrong while timed is right", gives("trial")),
        (
            "notebook/trial.py:implementations_asked",
            "the row before is what was just built",
            instead("kept(question.before_program, **others)", "mine.model_copy(update=others)"),
        ),
        (
            "notebook/attempts.py:replace_row",
            "a busy machine empties a row",
            instead("not trial.wrong and (not trial.over_before)", "False"),
        ),
        (
            "notebook/kept_results.py:stamps_of",
            "a program built anew while it is judged keeps its verdict",
            gives("{}"),
        ),
        # Page.
        (
            "page/part.py:Part._best_speed",
            "wrong rows show a speed",
            instead("bench and bench.verdict == 'right'", "bench"),
        ),
        (
            "page/part.py:_honest_and_fast",
            "a row that is too noisy counts as the best",
            instead("not speed.doubtful", "True"),
        ),
        (
            "page/part.py:Part.begun",
            "a worksheet without an answer is a beginning",
            instead("line.answer", "True"),
        ),
        (
            "page/part.py:Part._roofline_speed",
            "double stands for float",
            instead("one[0].precision != 'float'", "one[0].precision == 'float'"),
        ),
        (
            "page/part.py:Part._newest_elsewhere",
            "the oldest speed is shown",
            instead(
                "max(speeds, key=lambda speed: speed.day[:10], default=None)",
                "min(speeds, key=lambda speed: speed.day[:10], default=None)",
            ),
        ),
        ("page/part.py:Part.missing", "nothing is missing", gives("[]")),
        (
            "page/part.py:Part.implementations",
            "a removed implementation stays",
            instead("name not in self.gone", "True"),
        ),
        (
            "page/records.py:PartRoofline.is_of_setting",
            "the limiter is of another setting",
            gives("True"),
        ),
        (
            "page/collect.py:_Reader.with_age",
            "what is older than its source is not stale",
            instead("seal_of(self.root / record.source) != record.source_sha256", "False"),
        ),
        (
            "page/collect.py:_Reader.is_gone",
            "implementations without a file stay",
            gives("False"),
        ),
        (
            "page/collect.py:bench_of",
            "the first row is naive",
            instead("_find_naive(rows, result.context.part)", "rows[0]"),
        ),
        (
            "page/environment.py:_csv_cell",
            "a formula of a student is computed",
            instead("without_formula(value)", "value"),
        ),
        (
            "page/environment.py:embedded",
            "what a student typed ends the script",
            gives("Markup(json.dumps(data))"),
        ),
        # Pictures of physics.
        (
            "draw/energy.py:_potential_energy",
            "a pair is left out",
            instead("range(1, len(m))", "range(1, len(m) - 1)"),
        ),
        (
            "draw/energy.py:_drift_of_log",
            "the time of a row is that of an iteration",
            instead("np.diff(column('wall_s')) / iterations", "np.diff(column('wall_s'))"),
        ),
        (
            "draw/runs.py:read_log",
            "an energy may be missing in some rows",
            instead("empty and len(empty) < len(rows)", "False"),
        ),
        (
            "draw/runs.py:Run.find_body",
            "of two bodies with a name the first is meant",
            instead("len(named) == 1", "named"),
        ),
        (
            "draw/space.py:staying",
            "who leaves shrinks the rest",
            gives("np.ones_like(paths[0, :, 0], dtype=bool)"),
        ),
        (
            "draw/orbits.py:Paths.footnote",
            "who is outside is not named",
            instead("body not in self.inside", "False"),
        ),
        (
            "draw/studies.py:_timeline",
            "ranks never wait",
            instead("zip(ends[::2], ends[1::2])", "[(ends[0], ends[-1])]"),
        ),
        (
            "draw/bench.py:_ratios",
            "a ratio to the parent is one to the first bar",
            instead("row.shown_ratio(parent)", "row.shown_ratio(first)"),
        ),
        (
            "draw/bench.py:draw_bar",
            "a wrong result is not hatched",
            instead("None if is_right else '////'", "None"),
        ),
        (
            "draw/bench.py:pieces",
            "a line crosses what was not measured",
            instead("all_values.index(end) == all_values.index(start) + 1", "True"),
        ),
        (
            "draw/bench.py:read_measured",
            "what has no speed is drawn",
            instead("row.interactions_per_s.median > 0", "True"),
        ),
        (
            "draw/bench.py:whisker",
            "a marker lies beyond its whisker",
            instead("rates.median, row.speed", "rates.lower_quartile, rates.upper_quartile"),
        ),
        (
            "draw/roofline.py:_finding",
            "a roofline's title tells the share of its roof",
            instead("best.share_of_limit", "best.share_of_roof"),
        ),
        (
            "draw/roofline.py:reachable",
            "a roofline shows what its programs cannot reach",
            instead("own in used", "True"),
        ),
        (
            "draw/attempts.py:predicted",
            "a prediction stands where the bar ends",
            instead("row.times_naive * row.expected / row.measured", "row.times_naive"),
        ),
        (
            "draw/sheet.py:_free_name",
            "a picture is overwritten",
            instead("not file.exists() or file.read_bytes() == content", "True"),
        ),
        # Export, documents, handout.
        (
            "export/formats.py:format_xyz",
            "an export loses digits",
            instead("repr", "'{:.15g}'.format"),
        ),
        ("viewing/server.py:Door._has_token", "whoever finds the port may watch", gives("True")),
        ("viewing/server.py:Door._same_origin", "any page may steer the run", gives("True")),
        (
            "viewing/server.py:Stage._offer",
            "the program is not asked for the next state",
            instead("panel.program", "False"),
        ),
        (
            "viewing/server.py:Stage._pass_on",
            "a page that hangs misses the last state",
            instead("message.header.last", "False"),
        ),
        (
            "viewing/server.py:Stage._wish_for",
            "a wish does not reach the program",
            instead("panel.program", "False"),
        ),
        (
            "commands/build.py:run",
            "a page is asked for, and none is served",
            instead("given.has(one)", "False"),
        ),
        ("viewing/show.py:how_it_ended", "a program that died is not named", gives("complaint")),
        (
            "viewing/film.py:iterations_at",
            "a film ends before the last iteration",
            gives("iterations * frame // frames"),
        ),
        (
            "viewing/light.py:Palette.values",
            "colours jump from state to state",
            instead("0.05", "1"),
        ),
        (
            "viewing/light.py:_twice",
            "what is wide is shifted by half a pixel",
            instead("first += np.moveaxis(quarter, axis, 0)[:-1]", "None"),
        ),
        (
            "viewing/light.py:draw_bodies",
            "a body behind the camera is drawn",
            instead("depth > camera.distance / 100", "depth < 1e9"),
        ),
        ("viewing/ffmpeg.py:FilmFile.__exit__", "half a film stays", gives("None")),
        ("export/body_text.py:demand_same_run", "states of two runs are one", gives("None")),
        (
            "export/formats.py:open_writer",
            "a partial file stays",
            instead("writer.discard()", "pass"),
        ),
        (
            "documents/stage.py:stage",
            "students see pages for instructors",
            instead("section.name != INSTRUCTORS", "True"),
        ),
        (
            "documents/build_site.py:_configuration",
            "a dead anchor is no error",
            instead("['myst.header', 'misc.highlighting_failure']", "['myst', 'misc']"),
        ),
        (
            "documents/build_site.py:_configuration",
            "blocks of commands have no button that copies",
            instead(
                "['myst_parser', 'sphinx_copybutton', 'nbody_lab.documents.formulas']",
                "['myst_parser', 'nbody_lab.documents.formulas']",
            ),
        ),
        (
            "documents/stage.py:PageText._link",
            "a folder's page is sought under another name",
            instead("staged(page)", "page"),
        ),
        (
            "handout/left_out.py:handed_out_text",
            "tables name what is left out",
            instead("_is_dropped(line, folder)", "False"),
        ),
        ("handout/leaks.py:_names_of", "names of solutions are no secret", gives("[]")),
        (
            "handout/leaks.py:_runs_in",
            "a line break hides copied code",
            instead(
                "_TOKEN.findall(_DIRECTIVE.sub('', _COMMENT.sub('', text)))", "text.split('\\n')"
            ),
        ),
        (
            "handout/pack.py:checked_members",
            "dead links are packed",
            instead("_find_dead_links(found, of_all_parts)", "[]"),
        ),
        (
            "handout/pack.py:checked_members",
            "leaks are packed",
            instead("find_leaks(solutions, texts_of(found), texts_of(of_all_parts))", "[]"),
        ),
        (
            "handout/references.py:show",
            "the reference shows beside the solution",
            instead("(root / 'solutions').is_dir()", "False"),
        ),
        (
            "handout/submission.py:_read",
            "a link is handed in",
            instead("file.is_symlink()", "False"),
        ),
        (
            "handout/clean_copy.py:_is_of_the_lab",
            "the clean copy has all of a student's files",
            instead("role_of(path.partition('/')[2]) is None", "True"),
        ),
        (
            "handout/clean_copy.py:CleanCopy._lacks_compiler_of",
            "a missing library is a student's mistake",
            gives("False"),
        ),
        # Hardware, tasks, explanations.
        (
            "hardware/ceilings.py:judge",
            "a rate that spreads is a ceiling",
            instead("row.spread > LARGEST_SPREAD", "row.spread > 9"),
        ),
        (
            "hardware/ceilings.py:_levels_out_of_order",
            "memory may be faster than a cache",
            instead("near.best * (1 + max(near.spread, far.spread))", "9 * near.best"),
        ),
        (
            "worksheet/slips.py:matches",
            "the tolerance times 100",
            instead("tolerance * abs(truth)", "100 * tolerance * abs(truth)"),
        ),
        (
            "worksheet/judge.py:_is_counted_right",
            "hidden counts are shown to everyone",
            gives("True"),
        ),
        (
            "worksheet/program.py:_run",
            "what a worksheet started outlives it",
            instead("os.killpg(process.pid, signal.SIGKILL)", "process.kill()"),
        ),
        (
            "worksheet/expression.py:_why_not_allowed",
            "a questions file may hold any Python",
            gives("''"),
        ),
        (
            "notebook/notebook.py:Notebook.next_number",
            "rows of the notebook share a number",
            instead(
                "1 + max((min(row.row or 0, 10 ** 6) for row in self.rows), default=0)",
                "max((min(row.row or 0, 10 ** 6) for row in self.rows), default=0)",
            ),
        ),
        (
            "explain/failure.py:explain_failure",
            "a broken tool counts as a broken header",
            instead(
                "all((failed.is_implementation() for failed in failures))",
                "any((failed.is_implementation() for failed in failures))",
            ),
        ),
        (
            "explain/failure.py:_find_fault",
            "an error of both precisions counts as one of double only",
            instead("other.precision != 'double'", "False"),
        ),
        (
            "explain/header.py:_explain_missing_class",
            "a class in another namespace counts as missing",
            instead("re.search(f'(class|struct) +{name}\\\\b', header.text)", "None"),
        ),
        (
            "explain/compiler_warnings.py:find_warnings",
            "warnings that follow from an error are shown",
            instead("file not in broken", "True"),
        ),
        (
            "explain/compiler_warnings.py:show_warnings_again",
            "warnings about an older text are shown",
            instead("known.digest == _find_digest(root / source)", "True"),
        ),
        (
            "explain/vec_words.py:CompilerLog.find_elsewhere",
            "a loop that begins in a library has no reason",
            gives("[]"),
        ),
        (
            "explain/uncountable.py:_LogReader._read_note",
            "an error inside a library has no line",
            gives("None"),
        ),
        (
            "profiles/text.py:read_flat_profile",
            "the body of an OpenMP loop is a function of its own",
            instead("_COPY_OF_FUNCTION.sub('', match['function'])", "match['function']"),
        ),
        (
            "profiles/gprof.py:_Run.make_flat_profile",
            "gprof does not see the parts of a function",
            instead("find_local_symbols(self._call_tool('nm', program))", "[]"),
        ),
        (
            "profiles/gprof.py:_report_functions",
            "the shares without optimisation go on the page",
            instead("not profiled.debug", "True"),
        ),
        (
            "profiles/gpu.py:find_iterations",
            "a fast program is profiled for a moment only",
            instead("seconds < _LEAST_S", "False"),
        ),
        (
            "tasks/hint.py:next_stage",
            "the third hint stays shut",
            instead("range(1, STAGES + 1)", "range(1, STAGES)"),
        ),
        (
            "tasks/next_task.py:is_open",
            "a task that is done stays the next one",
            instead("answered.done < answered.of", "answered.done <= answered.of"),
        ),
        (
            "grade/exchange.py:remove_author.judge",
            "an author's comments go with his version",
            instead("not names.give_away(found[0])", "True"),
        ),
        (
            "core/manifest.py:Manifest.of_part",
            "the manifest gives rows of every kind",
            instead("row.part == part and kind in (None, row.kind)", "row.part == part"),
        ),
        (
            "roofline/model.py:find_limiter",
            "a roofline blames the highest limit",
            instead(
                "min(limits, key=lambda limit: limit.interactions_per_s)",
                "max(limits, key=lambda limit: limit.interactions_per_s)",
            ),
        ),
        ("roofline/model.py:", "a roofline calls nothing waiting", instead("0.6", "0.0")),
        ("roofline/model.py:", "a point above its roof is not flagged", instead("1.05", "9.0")),
        (
            "roofline/points.py:_count",
            "hidden counts have a point",
            instead("hidden_counts(lab)", "()"),
        ),
        # Verdicts.
        (
            "programs/check_report.py:_share",
            "what is not finite counts as an answer",
            instead("'not finite' in answers", "False"),
        ),
        (
            "programs/check_report.py:_tables",
            "what follows from wrong forces hides them",
            instead("case.group == first", "True"),
        ),
        (
            "programs/check_report.py:check_text",
            "a summary before all are judged",
            instead("len(result.implementations) == result.programs", "True"),
        ),
        (
            "programs/checking.py:_Screen.show_new",
            "a verdict is shown when all are known",
            instead("now == self._seen", "not self.result"),
        ),
        # Speeds.
        (
            "core/bench_file.py:BenchRow.ratios",
            "rounds beside other neighbours are compared",
            instead("abs(ours[1] - theirs[1]) <= _MOST_CHANGE_OF_NEIGHBOURS", "True"),
        ),
        (
            "commands/bench.py:_require_tunable",
            "a sweep that changes nothing is measured",
            gives("None"),
        ),
        (
            "benchmark/compare.py:compare_rows",
            "the narrower spread decides",
            instead("max(after.spread, before.spread)", "min(after.spread, before.spread)"),
        ),
        (
            "benchmark/compare.py:_from_which",
            "ahead at some size is ahead",
            instead("break", "continue"),
        ),
        (
            "benchmark/report.py:_warnings",
            "nobody hears of a wide spread",
            instead("row.is_wide and row.speed", "row.spread < 0"),
        ),
        (
            "benchmark/report.py:_verdicts",
            "a wrong row is called right",
            instead("not row.is_right", "False"),
        ),
        (
            "core/bench_file.py:BenchResult.ratio_to_first",
            "a row is compared with itself",
            instead("row.shown_ratio(beside) if beside else None", "row.shown_ratio(row)"),
        ),
        ("core/bench_file.py:BenchRow.spread", "nothing spreads", gives("0.0")),
        (
            "roofline/inputs.py:limits_of_loop",
            "the chain of another program is a limit",
            instead("f'/{program.as_posix()}'.endswith(f'/{bound.program}')", "True"),
        ),
        (
            "programs/counting.py:remark_on_needless_work",
            "invented work is not noticed",
            gives("None"),
        ),
    )
)


def name_of(fault):
    """Of several in one function, each has its number."""
    of_function = [one for one in FAULTS if one[:2] == fault[:2]]
    number = f"#{of_function.index(fault) + 1}" if len(of_function) > 1 else ""
    return f"{fault.file}:{fault.function}{number}"


def fault_called(name):
    return next(fault for fault in FAULTS if name_of(fault) == name)


def function_in(tree, path):
    for name in filter(None, path.split(".")):
        named = (node for node in tree.body if getattr(node, "name", None) == name)
        tree = next(named, None)
        if tree is None:
            raise NoSuchPlace(f"there is no {path}")
    return tree


def planted(fault, text, path):
    """The syntax tree of the module with the fault in it."""
    tree = ast.parse(text, path)
    fault.edit(function_in(tree, fault.function))
    return ast.fix_missing_locations(tree)


def tests_of(fault):
    """The test files of its folder; its own first."""
    own = Path(fault.file).stem
    tests = (TESTS / fault.file).parent.glob("*_test.py")
    tests = [file for file in tests if "browser" not in file.name and "_run_" not in file.name]
    tests.sort(key=lambda file: (own not in file.stem, file.stem in SLOW, file.name))
    return [*tests, *OTHER_TESTS.get(fault.file, ())]


def environment(fault, folder):
    """In which this Python plants the fault at each start: it imports sitecustomize, here from `folder`. The system's
    Python, which stands in for programs of the lab, has not the packages, and would complain."""
    Path(folder, "sitecustomize.py").write_text(
        f"import sys\nif sys.prefix == {sys.prefix!r}:\n    from tests.mutation import plant_fault\n"
        f"    plant_fault.install({name_of(fault)!r})\n",
        encoding="utf-8",
    )
    paths = [str(folder), str(LAB.parent), str(TESTS.parent), os.environ.get("PYTHONPATH", "")]
    ours = {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **ours, MARK: str(folder)}


def found_by(fault):
    """The test that finds it; '' if none does. Raises NoSuchPlace."""
    planted(fault, (LAB / fault.file).read_text(encoding="utf-8"), fault.file)
    with tempfile.TemporaryDirectory() as folder:
        for test in tests_of(fault):
            try:
                run = subprocess.run(
                    [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test],
                    cwd=ROOT,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment(fault, folder),
                    timeout=LONGEST_S,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return f"{test.name} (no end)"
            finally:
                kill_marked(MARK, str(folder))  # what ran away since the fault took its limit
            if run.returncode in FOUND:
                return test.name
        return ""


def is_found(fault):
    test = found_by(fault)
    outcome = f"found by {test}" if test else "NOT FOUND"
    print(f"{name_of(fault)}: {fault.wrong}: {outcome}", flush=True)
    return bool(test)


def main(names):
    faults = [
        fault
        for fault in FAULTS
        if not names or name_of(fault) in names or fault.file.split("/")[0] in names
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = sum(pool.map(is_found, faults))
    print(f"{found} of {len(faults)} found")
    return 0 if found == len(faults) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
