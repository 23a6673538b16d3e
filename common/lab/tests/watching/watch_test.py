"""Does ./lab watch see every save, obey its keys, and give the terminal back?"""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nbody_lab import ROOT
from tests import BUILD, LAB

STAND_IN = Path(__file__).with_name("stand_in.py")
PATIENCE_S = 20
LFLAG = 3  # of termios: ICANON, ECHO and others


class Student:
    """A pseudo-terminal in which the watch runs."""

    def __init__(self, words: list[str], folder: Path) -> None:
        self.folder = folder
        self.end, self.terminal = pty.openpty()
        self.flags_before = termios.tcgetattr(self.terminal)[LFLAG]
        self.text = ""
        self.process = subprocess.Popen(
            words,
            stdin=self.terminal,
            stdout=self.terminal,
            stderr=self.terminal,
            start_new_session=True,
        )

    def read(self) -> None:
        if select.select([self.end], [], [], 0.05)[0]:
            self.text += os.read(self.end, 65536).decode(errors="replace")

    def wait_for(self, words: str, patience_s: float = PATIENCE_S) -> str:
        """What was printed up to these words; the rest is for the next one."""
        stop = time.monotonic() + patience_s
        while words not in self.text:
            assert time.monotonic() < stop, f"no {words!r} in {self.text!r}"
            self.read()
        before, _, self.text = self.text.partition(words)
        return before + words

    def wait_for_file(self, name: str) -> str:
        stop = time.monotonic() + PATIENCE_S
        file = self.folder / name
        while not (file.exists() and file.read_text(encoding="utf-8")):
            assert time.monotonic() < stop, f"no {name}"
            self.read()
        return file.read_text(encoding="utf-8")

    def press(self, keys: str) -> None:
        os.write(self.end, keys.encode())

    def save(self, text: str, name: str = "mine.hpp") -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def status(self) -> int:
        """The exit status, once it has ended."""
        stop = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < stop:
            self.read()
        return self.process.wait(1)

    def reads_single_keys(self) -> bool:
        return not termios.tcgetattr(self.terminal)[LFLAG] & termios.ICANON

    def has_terminal_back(self) -> bool:
        return termios.tcgetattr(self.terminal)[LFLAG] == self.flags_before

    def send(self, number: int) -> None:
        os.kill(int((self.folder / "pid").read_text(encoding="utf-8")), number)

    def checks(self) -> list[str]:
        """What the header held in each check."""
        return (self.folder / "log").read_text(encoding="utf-8").splitlines()

    def close(self) -> None:
        if self.process.poll() is None:
            self.send(signal.SIGTERM)  # not SIGKILL: its scratch folder goes, too
            self.status()
        if self.process.poll() is None:
            self.send(signal.SIGKILL)
        self.process.wait()
        for descriptor in (self.end, self.terminal):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.fixture(name="student")
def _student(tmp_path: Path) -> Iterator[Student]:
    """One whose version passes, and whose watch has said so."""
    (tmp_path / "mine.hpp").write_text("right", encoding="utf-8")
    (tmp_path / "worksheet.hpp").write_text("open open", encoding="utf-8")
    student = Student([sys.executable, str(STAND_IN), "shell", str(tmp_path)], tmp_path)
    student.wait_for("part1/mine passed (")
    student.wait_for("q quit")
    yield student
    student.close()


def test_a_save_shows_what_changed(student: Student):
    """A kind that fails, its diagnosis and a warning; then what is right again; else nothing."""
    student.save("fails forces warns")
    shown = student.wait_for("unused variable")
    assert "part1/mine FAILED (" in shown
    assert "fails now: forces (1 of 2)" in shown
    assert "diagnosis: forces are wrong" in shown
    student.save("fails forces warns more")
    shown = student.wait_for("FAILED, as before (")
    assert "fails now" not in shown
    student.save("right")
    assert "passed (" in student.wait_for("right again: forces")
    student.wait_for("1 warning is gone")


def test_what_does_not_compile(student: Student):
    """The message, once, without the lines of progress."""
    student.save("broken")
    shown = student.wait_for("a ; is missing")
    assert "part1/mine no verdict (" in shown
    assert "... failed" not in shown
    student.save("broken still")
    assert "a ; is missing" not in student.wait_for("no verdict, as before (")


def test_an_editor_that_replaces_the_file(student: Student):
    (student.folder / "new").write_text("fails steps", encoding="utf-8")
    (student.folder / "new").replace(student.folder / "mine.hpp")
    student.wait_for("fails now: steps")


def test_several_steps_of_a_save_are_one_check(student: Student):
    for text in ("ri", "righ", "right twice"):
        student.save(text)
    student.wait_for("passed, as before (")
    student.press("q")
    assert student.status() == 0
    assert student.checks() == ["right", "right twice"]


def test_a_save_during_a_check_starts_another(student: Student):
    """It does not disturb the one that runs, and it is not lost."""
    student.save("slow")
    student.wait_for("check of part1/mine ...")
    while student.checks()[-1] != "slow":
        student.read()
    student.save("fails steps")
    time.sleep(0.5)
    assert student.checks() == ["right", "slow"]
    (student.folder / "go").touch()
    student.wait_for("fails now: steps")
    assert student.checks() == ["right", "slow", "fails steps"]


def test_other_files_start_no_check(student: Student):
    for name in ("mine_other.hpp", "naive.hpp", "NOTEBOOK.md", ".mine.hpp.swp"):
        student.save("anything", name)
    time.sleep(0.5)
    student.save("right", "flags.txt")  # which does
    student.wait_for("passed, as before (")
    assert len(student.checks()) == 2


def test_the_worksheet(student: Student):
    """What was answered since, not what was known before."""
    student.save("wrong open", "worksheet.hpp")
    student.wait_for("0 right, 1 wrong, 1 open (")
    student.wait_for("wrong: 1 (divide)")
    student.save("right wrong", "worksheet.hpp")
    student.wait_for("1 right, 1 wrong, 0 open (")
    shown = student.wait_for("wrong: 2 (divide)")
    assert "right now: 1 (divide)" in shown
    assert student.checks() == ["right"]


KEYS = {
    "n": ("", "this is ./lab next part1"),
    "w": ("", "this is ./lab worksheet part1"),
    "h": ("8a\n", "this is ./lab hint part1 8a"),
    "t": ("sums in locals\n1.5\n", "this is ./lab try part1 mine sums in locals --expect 1.5"),
}


@pytest.mark.parametrize("key", KEYS)
def test_keys(student: Student, key: str):
    """Each starts its command; questions are answered in an ordinary line; then it goes on."""
    answers, command = KEYS[key]
    assert student.reads_single_keys()
    student.press(key)
    for answer in answers.splitlines():
        student.wait_for("?" if key == "h" or answer == "1.5" else "words:")
        student.press(f"{answer}\n")
    student.wait_for(command)
    student.wait_for("q quit")
    student.save("fails forces")
    student.wait_for("fails now: forces")


@pytest.mark.parametrize("answer", ["\n", "\x03", "\x04"])
def test_a_question_can_be_left(student: Student, answer: str):
    """By Enter, Ctrl-C or Ctrl-D; the watch goes on."""
    student.press("t")
    student.wait_for("words: ")
    student.press(answer)
    student.wait_for("q quit")
    student.save("fails forces")
    student.wait_for("fails now: forces")


def test_a_key_during_a_check_comes_after_it(student: Student):
    student.save("slow")
    student.wait_for("check of part1/mine ...")
    student.press("n")
    student.wait_for("then n")
    (student.folder / "go").touch()
    student.wait_for("this is ./lab next part1")


ENDS = {
    "q": (lambda student: student.press("q"), 0),
    "Ctrl-C": (lambda student: student.press("\x03"), 0),
    "SIGTERM": (lambda student: student.send(signal.SIGTERM), 143),
    "SIGHUP": (lambda student: student.send(signal.SIGHUP), 129),
}


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("during", ["right", "slow"])
def test_the_terminal_is_given_back(student: Student, how: str, during: str):
    """On any way out, also in the middle of a check, which ends too; and quietly."""
    student.save(during)
    student.wait_for("check of part1/mine ...")
    if during == "right":
        student.wait_for("as before (")
        student.wait_for("q quit")
    assert student.reads_single_keys()
    if during == "slow":
        check = int(student.wait_for_file("pid_of_check"))
    end, status = ENDS[how]
    end(student)
    assert student.status() == status
    if during == "slow":
        with pytest.raises(ProcessLookupError):
            os.kill(check, 0)
    assert student.has_terminal_back()
    student.read()
    assert "Traceback" not in student.text
    assert "interrupted" not in student.text


def test_a_connection_that_breaks(student: Student):
    """As when ssh ends: the watch ends, and so does the check that runs."""
    student.save("slow")
    check = int(student.wait_for_file("pid_of_check"))
    os.close(student.end)
    student.end = -1
    student.process.wait(PATIENCE_S)
    stop = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{check}").exists() and time.monotonic() < stop:
        time.sleep(0.05)
    assert not Path(f"/proc/{check}").exists()


def test_ctrl_z_and_back(student: Student):
    """The shell gets its terminal as it was; afterwards the keys work again."""
    student.press("\x1a")
    student.wait_for("stopped")
    assert student.has_terminal_back()
    student.save("fails forces")
    (student.folder / "fg").touch()
    student.wait_for("fails now: forces")
    assert student.reads_single_keys()
    student.press("n")
    student.wait_for("this is ./lab next")


def test_without_a_terminal(tmp_path: Path):
    """It says so, shows every result on lines of their own, and ends by Ctrl-C without a word."""
    (tmp_path / "mine.hpp").write_text("fails steps", encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, STAND_IN, "watch", str(tmp_path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout and process.stderr
    assert "without them; Ctrl-C ends it" in process.stderr.readline()
    lines = [process.stdout.readline() for _ in range(4)]
    assert lines[0].endswith("watching mine.hpp and worksheet.hpp\n")
    assert "part1/mine FAILED (" in lines[1]
    assert "\033" not in "".join(lines)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out, err) == (0, "", "")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_a_signal_whose_exception_python_dropped(tmp_path: Path, number: int, status: int):
    """As in a __del__: "Exception ignored in". Here its handler raises nothing."""
    (tmp_path / "mine.hpp").write_text("right", encoding="utf-8")
    deaf = "import runpy, signal; nothing = lambda *_: None; set_handler = signal.signal; "
    deaf += "signal.signal = lambda number, _: set_handler(number, nothing); "
    deaf += f"signal.signal(signal.SIGINT, nothing); runpy.run_path({str(STAND_IN)!r}, run_name='__main__')"
    process = subprocess.Popen(
        [sys.executable, "-c", deaf, "watch", str(tmp_path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    while "passed" not in process.stdout.readline():
        pass
    process.send_signal(number)
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == status


def test_a_reader_that_has_seen_enough(tmp_path: Path):
    """As | head: it ends, too, and does not wait for the next save."""
    (tmp_path / "mine.hpp").write_text("right", encoding="utf-8")
    command = f"{sys.executable} {STAND_IN} watch {tmp_path} 2>&1 | grep -m 1 passed"
    done = subprocess.run(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert b"part1/mine passed (" in done.stdout


def is_built_here() -> bool:
    """Whether ./lab would build in this folder, and not configure it first."""
    cache = BUILD / "CMakeCache.txt"
    home = f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n"
    here = (ROOT / "build/release").resolve() == BUILD and cache.exists()
    return here and home in cache.read_text(encoding="utf-8", errors="replace")


@pytest.mark.slow
@pytest.mark.skipif(not is_built_here(), reason="nothing is configured here")
def test_the_command_itself():
    """In a pipe, with your file as it is: a first verdict, and a quiet end by Ctrl-C."""
    process = subprocess.Popen(
        [*LAB, "watch", "part1"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout
    first = process.stdout.readline()
    assert first.endswith("watching part1_standard_opti/mine.hpp and worksheet.hpp\n")
    assert "part1/mine " in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 0
