"""The tests of the lab's Python."""

import contextlib
import html
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.errors import ended

BUILD = Path(os.environ.get("LAB_BUILD", ROOT / "build/release")).resolve()
"""The build whose programs are tested."""

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
"""The browser of the tests; None if there is none."""

LAB = [sys.executable, str(ROOT / "common/lab/src")]
"""The words that start ./lab."""


def as_program(module, function):
    """The words that run a function of nbody_lab as a program of its own, with the words after them as its arguments."""
    return [
        sys.executable,
        "-c",
        "import sys; from nbody_lab.core.errors import ended; "
        f"from nbody_lab.{module} import {function}; sys.exit(ended({function}, *sys.argv[1:]))",
    ]


def said_by(words, **how):
    """(status, stdout, stderr) of a program."""
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, **how
    )
    return done.returncode, done.stdout, done.stderr


def ended_with(function, *arguments):
    """(status, stdout, stderr) of a function of the lab, run as a command runs it."""
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        status = ended(function, *arguments)
    return status, out.getvalue(), err.getvalue()


def words_of(page):
    """The text of a page as a reader sees it."""
    body = re.sub(r"(?s)<style>.*?</style>", "", page)
    inline = re.sub(r"</?(?:span|sup|code|b|a|abbr|bdi)\b[^>]*>", "", body)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", inline)).split())
