"""Pictures into a folder: nothing that lies there is lost, nothing is half-written."""

import os
from pathlib import Path

KINDS = ("svg", "png")


class CannotSave(Exception):
    """What is wrong, in one line."""


def free_name(folder, name, content):
    """NAME, or NAME-2, NAME-3, ... where another picture lies; the same picture keeps its name."""
    for k in range(1, 10000):
        candidate = name if k == 1 else f"{name}-{k}"
        file = folder / f"{candidate}.svg"
        if not file.exists() or file.read_bytes() == content:
            return candidate
    raise CannotSave(f"{folder} is full of pictures named {name}")


def write_whole(file, content):
    part = file.with_name(f".{file.name}.part")
    part.write_bytes(content)
    os.replace(part, file)


def save(sheets, folder, replace=False, kinds=KINDS):
    """Writes the kinds of each sheet and closes it; the paths without their ending. `replace`: for pictures that
    are made anew from what is kept, like the notebook's."""
    folder = Path(folder)
    names = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for sheet in sheets:
            svg = sheet.bytes_of("svg")
            name = sheet.name if replace else free_name(folder, sheet.name, svg)
            for kind in kinds:
                write_whole(folder / f"{name}.{kind}", svg if kind == "svg" else sheet.bytes_of(kind))
            names.append(folder / name)
    except OSError as fault:
        raise CannotSave(f"{folder} cannot be written: {fault.strerror}") from fault
    finally:
        for sheet in sheets:
            sheet.close()
    return names
