"""A long step shows its progress, and passes on its status."""

import io
import re
import shutil
import subprocess
import sys
import threading

import pytest

from nbody_lab.core import steps
from tests import said_by


@pytest.fixture
def run_step(tmp_path):
    """Runs a shell script as a step with a line each second: (status, what was shown)."""

    def run(label, script):
        shown = io.StringIO()
        step = steps.Step(label, shown, between=1)
        status = steps.run_step(label, ["bash", "-c", script], tmp_path / "log", tmp_path, step)
        return status, shown.getvalue()

    return run


@pytest.mark.parametrize(
    ("script", "status", "lines"),
    [
        (
            'echo "[1/4] one"; echo "[2/4] two"; sleep 3.5; echo "[4/4] four"',
            0,
            [r"working \.\.\. 2/4, about [234] s left", r"working \.\.\. [34] s"],
        ),
        (  # the time left is that of what is counted now
            'echo "[9/9] built"; sleep 3; echo "2/4 Test #2"; sleep 2.5; echo "3/4 Test #3"',
            0,
            [r"working \.\.\. 2/4, about [1-4] s left"],
        ),
        ("sleep 2.5", 0, [r"working \.\.\. [12] s so far"]),
        ('echo "[1/1] all"', 0, [r"\Aworking \.\.\. [01] s\n\Z"]),
        ('echo "[1/2] one"; exit 3', 3, [r"\Aworking \.\.\. failed\n\Z"]),
        ("echo 'ninja: no work to do.'", 0, [r"\A\Z"]),
    ],
)
def test_a_log_has_a_line_now_and_then(run_step, script, status, lines):
    ended, shown = run_step("working", script)
    assert ended == status
    for line in lines:
        assert re.search(line if line[:2] == r"\A" else f"(?m)^{line}$", shown), shown


def test_work_that_says_nothing_has_a_line_now_and_then():
    """What it waits for is asked each time."""
    shown, notes, ended = io.StringIO(), iter(["", "ada"]), threading.Event()
    step = steps.Step("timing", shown, between=0)

    def note():
        told = next(notes, "ada waits")
        if told == "ada waits" and "waits" in shown.getvalue():
            ended.set()
        return told

    step.hear("[0/24]")
    with steps.telling(step, note, every=0.01):
        assert ended.wait(60)
    assert shown.getvalue().splitlines()[:4] == [
        *["timing ... 0/24"] * 2,
        *(f"timing ... 0/24; {note}" for note in ("ada", "ada waits")),
    ]


def test_a_program_says_how_far_it_is(capfd):
    """And what else it says stays."""
    script = "echo '... 1/4 naive N = 33' >&2; echo refused >&2; sleep 1.5; exit 3"
    with (
        subprocess.Popen(["bash", "-c", script], stderr=subprocess.PIPE) as process,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(steps.Step.__init__, "__defaults__", (None, 0.5))
        with steps.hearing(process, "checking"):
            assert process.wait() == 3
    first, *others = capfd.readouterr().err.splitlines()
    assert first == "refused"
    assert re.fullmatch(r"checking \.\.\. 1/4(, about \d+ s left)?; naive N = 33", others[0])


def test_the_output_goes_to_the_log(run_step, tmp_path):
    run_step("working", "echo one; echo two >&2")
    assert (tmp_path / "log").read_text() == "one\ntwo\n"


@pytest.mark.parametrize(
    ("counts", "seconds", "text"),
    [
        ((0, 40), 9, "0/40"),
        ((3, 40), 60, "3/40"),
        ((4, 40), 10, "4/40, about 91 s left"),
        ((4, 40), 60, "4/40, about 9 min left"),
        ((39, 40), 0.5, "39/40"),
        (None, 7, "7 s so far"),
    ],
)
def test_the_time_left_comes_late_and_in_minutes_if_long(counts, seconds, text):
    assert steps.format_progress(counts, seconds) == text


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("[3/40] Building", (3, 40)),
        ("12/120 Test  #12: bodies_test ... Passed", (12, 120)),
        ("building part1 ... 12/40, about 20 s left", (12, 40)),
        ("....F... [ 37%]", (37, 100)),
        ("nothing", None),
    ],
)
def test_counts_of_other_tools(text, counts):
    assert steps.find_counts(text) == counts


@pytest.mark.skipif(not shutil.which("script"), reason="no script to make a terminal with")
@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_on_a_terminal_a_bar_is_erased_at_the_end(kind, tmp_path):
    """One that is called dumb has no cursor, and gets a log."""
    program = tmp_path / "program.py"
    program.write_text(
        "import pathlib; from nbody_lab.core import steps\n"
        "steps.run_step('working', ['bash', '-c', 'echo [1/4] one; sleep 2.5'],"
        f" pathlib.Path('{tmp_path}/log'), '/')"
    )
    command = f"env TERM={kind} COLUMNS=80 {sys.executable} {program}"
    _, shown, _ = said_by(["script", "-qec", command, "/dev/null"], stdin=-3)
    if kind == "dumb":
        assert re.fullmatch(r"working \.\.\. [23] s\s+", shown), shown
        return
    plain = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown)
    assert re.search(r"working \.\.\. .* 1/4, about \d+ s left", plain), plain
    assert plain.splitlines()[-1].endswith(("working ... 2 s", "working ... 3 s"))
