"""The tests of the lab's Python."""

import html
import os
import re
import shutil
import subprocess
from pathlib import Path

from nbody_lab import ROOT

BUILD = Path(os.environ.get("LAB_BUILD", ROOT / "build/release")).resolve()
"""The build whose programs are tested."""

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
"""The browser of the tests; None if there is none."""


def said_by(words, **how):
    """(status, stdout, stderr) of a program."""
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, **how
    )
    return done.returncode, done.stdout, done.stderr


def words_of(page):
    """The text of a page as a reader sees it."""
    body = re.sub(r"(?s)<style>.*?</style>", "", page)
    inline = re.sub(r"</?(?:span|sup|code|b|a|abbr|bdi)\b[^>]*>", "", body)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", inline)).split())


def write_files(folder, files):
    """files: {name: text or bytes}"""
    for name, content in dict(files).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
