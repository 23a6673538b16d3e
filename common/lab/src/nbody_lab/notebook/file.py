"""Safe reading and writing of files that students edit too: any content is accepted, and writes are atomic."""

import os
from pathlib import Path

from nbody_lab.core import whole_file
from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import LabError

_LONGEST_QUOTE = 30  # characters


def in_quotes(word: str) -> str:
    return f"'{printable(word[:_LONGEST_QUOTE])}'" + ("..." if len(word) > _LONGEST_QUOTE else "")


def shown(path: Path | str) -> str:
    """The path relative to the current folder, printable."""
    return printable(os.path.relpath(path))


def read_text(file: Path) -> str:
    """The whole text with its original line ends. Raises LabError."""
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise LabError(
            f"{printable(file)}: cannot be read ({error.strerror}): check the name"
        ) from error


def read_replaceable(file: Path) -> str:
    """The text, empty if there is no file. Raises LabError if the file must not be replaced."""
    if file.is_symlink():
        raise LabError(f"{shown(file)}: is a symbolic link: put the file itself there")
    if not file.exists():
        return ""
    if not file.is_file():
        raise LabError(f"{shown(file)}: is not a file: move it away")
    # Root may write read-only files, but their owner did not mean it to.
    if not file.stat().st_mode & 0o200 or not os.access(file, os.W_OK):
        raise LabError(f"{shown(file)}: is read-only: chmod u+w {shown(file)}")
    return read_text(file)


def write_text(file: Path, text: str) -> None:
    """Writes all or nothing. Raises LabError."""
    try:
        whole_file.write_text(file, text)
    except OSError as error:
        raise LabError(
            f"{printable(file)}: cannot be written ({error.strerror}): "
            "choose another place or make room"
        ) from error
