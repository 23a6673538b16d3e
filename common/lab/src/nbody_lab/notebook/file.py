"""Safe reading and writing of files that students edit too: any content is accepted, and writes are atomic."""

import os

from nbody_lab.core import whole_file
from nbody_lab.core.messages import UserError

LONGEST_QUOTED_WORD = 30


class InputError(UserError):
    """What is wrong, where, and what to do, in one line."""


def printable(text):
    """The text with bytes outside printable ASCII as \\xNN."""
    data = text.encode("utf-8", "surrogateescape")
    return "".join(chr(b) if 0x20 <= b <= 0x7E else f"\\x{b:02x}" for b in data)


def in_quotes(word):
    data = word.encode("utf-8", "surrogateescape")
    start = data[:LONGEST_QUOTED_WORD].decode("utf-8", "surrogateescape")
    return f"'{printable(start)}'" + ("..." if len(data) > LONGEST_QUOTED_WORD else "")


def shown(path):
    """The path relative to the current folder, printable."""
    return printable(os.path.relpath(path))


def read_text(file):
    """The whole text with its original line ends. Raises InputError."""
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise InputError(
            f"{printable(str(file))}: cannot be read ({error.strerror}): check the name"
        ) from error


def read_replaceable(file):
    """The text, empty if there is no file. Raises InputError if the file must not be replaced."""
    if file.is_symlink():
        raise InputError(f"{shown(file)}: is a symbolic link: put the file itself there")
    if not file.exists():
        return ""
    if not file.is_file():
        raise InputError(f"{shown(file)}: is not a file: move it away")
    # Root may write read-only files, but their owner did not mean it to.
    if not file.stat().st_mode & 0o200 or not os.access(file, os.W_OK):
        raise InputError(f"{shown(file)}: is read-only: chmod u+w {shown(file)}")
    return read_text(file)


def write_text(file, text):
    """Writes all or nothing. Raises InputError."""
    try:
        whole_file.write_text(file, text)
    except OSError as error:
        raise InputError(
            f"{printable(str(file))}: cannot be written ({error.strerror}): "
            "choose another place or make room"
        ) from error
