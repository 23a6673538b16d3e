"""A file that is written as a whole or not at all: a reader finds the old one or the new."""

import os
from pathlib import Path


def write_bytes(file, content):
    """Under a temporary name beside it, then renamed; makes the folder. Raises OSError, and leaves nothing behind. What is
    there and no file, such as a device or a pipe, is written to: a rename would put a file in its place."""
    file = Path(file)
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, file)
    finally:
        unfinished.unlink(missing_ok=True)


def write_text(file, text):
    """UTF-8; what a name may hold that is no UTF-8 goes through."""
    write_bytes(file, text.encode("utf-8", "surrogateescape"))


def why_not_writable(file):
    """Why it cannot be written, as far as that can be told before hours of work; '' if it can."""
    file = Path(file)
    folder = next(one for one in file.absolute().parents if one.exists())
    if file.is_dir():
        return "a folder lies there"
    if not folder.is_dir():
        return f"{folder} is no folder"
    return "" if os.access(file if file.exists() else folder, os.W_OK) else "no permission"
