"""For tests: `./lab watch` of a tiny folder, with a stand-in for build, check and the other commands.

stand_in.py watch FOLDER         watches FOLDER/mine.hpp
stand_in.py lab COMMAND ...      what the watch starts in place of ./lab; the header says what happens
"""

import fcntl
import json
import os
import signal
import sys
import termios
import time
from pathlib import Path

from nbody_lab.core.messages import ended
from nbody_lab.watching.terminal import has_keys
from nbody_lab.watching.watch import Watched, watch

FOLDER = Path(sys.argv[2])


def check(file: Path) -> int:
    """The header's words: fails KIND, warns, broken, slow (until the file `go` is there)."""
    words = (FOLDER / "mine.hpp").read_text(encoding="utf-8").split()
    with (FOLDER / "log").open("a", encoding="utf-8") as log:
        log.write(" ".join(words) + "\n")
    if "slow" in words:
        (FOLDER / "pid_of_check").write_text(str(os.getpid()), encoding="utf-8")
        while not (FOLDER / "go").exists():
            time.sleep(0.02)
    if "broken" in words:
        print(
            "building part1/mine ... failed\nlab: mine.hpp: line 3: a ; is missing", file=sys.stderr
        )
        return 1
    warning = ["mine.hpp:3: warning: unused variable", "    real x;"] if "warns" in words else []
    (FOLDER / "warnings.json").write_text(
        json.dumps({"mine.hpp": {"digest": "", "lines": warning}}), encoding="utf-8"
    )
    fails = words[1] if words[:1] == ["fails"] else ""
    cases = [{"group": "forces", "verdict": "passed"}, {"group": "steps", "verdict": "passed"}]
    cases += [{"group": fails, "verdict": "failed"}] if fails else []
    program = {
        "verdict": "FAILED" if fails else "passed",
        "as_expected": not fails,
        "sentence": f"{fails} are wrong" if fails else "",
        "cases": cases,
    }
    written = {"tolerance": "standard", "precision": "float", "implementations": [program]}
    file.write_text(json.dumps(written), encoding="utf-8")
    return 1 if fails else 0


def lab(command: str, words: list[str]) -> int:
    if command == "check":
        return check(Path(words[-1]))
    if command == "worksheet" and "--json" in words:
        states = (FOLDER / "worksheet.hpp").read_text(encoding="utf-8").split()
        lines = [
            {"number": str(k), "question": "divide", "state": "" if state == "open" else state}
            for k, state in enumerate(states, 1)
        ]
        Path(words[-1]).write_text(
            json.dumps({"part": "part1", "authors": "Ada", "lines": lines}), encoding="utf-8"
        )
        return 0
    print(f"this is ./lab {command} {' '.join(words)}")
    return 0


def start() -> None:
    """WATCH_STARTS: a program in place of this one."""
    stand_in = [os.environ["WATCH_STARTS"]] if "WATCH_STARTS" in os.environ else [__file__, "lab"]
    watched = Watched(
        part="part1",
        name="mine",
        folder=FOLDER,
        source="mine.hpp",
        warnings=FOLDER / "warnings.json",
        lab=(sys.executable, *stand_in, str(FOLDER)),
    )
    watch(watched, has_keys())


def shell() -> int:
    """Its status, as a shell's."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # of tcsetpgrp
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(sys.executable, [sys.executable, __file__, "watch", str(FOLDER)])
    (FOLDER / "pid").write_text(str(child), encoding="utf-8")
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status)
        print("stopped", flush=True)
        while not (FOLDER / "fg").exists():
            time.sleep(0.02)
        os.tcsetpgrp(0, child)
        os.killpg(child, signal.SIGCONT)


if __name__ == "__main__":
    if sys.argv[1] == "shell":
        sys.exit(shell())
    if sys.argv[1] == "watch":
        sys.exit(ended(start))
    sys.exit(lab(sys.argv[3], sys.argv[4:]))
