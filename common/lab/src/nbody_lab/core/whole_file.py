"""Writes a file as a whole or not at all: a reader sees the old version or the new one."""

import os
import shutil
from pathlib import Path


def write_bytes(file: Path | str, content: bytes) -> None:
    """Writes a temporary file beside it, then renames that; creates the folder. Keeps the file's mode, and writes where a
    link leads. Raises OSError and leaves nothing behind. Writes straight to an existing device or pipe, since a rename
    would replace it with a file."""
    file = Path(file)
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
    file = file.resolve()
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        if file.exists():
            shutil.copymode(file, unfinished)
        os.replace(unfinished, file)
    finally:
        unfinished.unlink(missing_ok=True)


def read_text(file: Path) -> str:
    """As write_text() writes it: with undecodable bytes, and line ends as they are. Raises OSError."""
    return file.read_bytes().decode("utf-8", "surrogateescape")


def write_text(file: Path | str, text: str) -> None:
    """Writes UTF-8; undecodable bytes in a name pass unchanged."""
    write_bytes(file, text.encode("utf-8", "surrogateescape"))


def why_not_writable(file: Path | str) -> str:
    """Why the file cannot be written, as far as that is known before hours of work; '' if it can."""
    file = Path(file)
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}"
    if file.is_dir():
        return "it is a folder"
    return "" if os.access(file if file.exists() else file.parent, os.W_OK) else "no permission"
