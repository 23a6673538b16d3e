"""Pictures into a folder: nothing that lies there is lost, nothing is half-written."""

from pathlib import Path

from messages import LabError
from whole_file import write_bytes


class CannotSave(LabError):
    """What is wrong, in one line."""


def free_name(folder, name, content):
    """NAME, or NAME-2, NAME-3, ... where another picture lies; the same picture keeps its name."""
    for k in range(1, 10000):
        candidate = name if k == 1 else f"{name}-{k}"
        file = folder / f"{candidate}.svg"
        if not file.exists() or file.read_bytes() == content:
            return candidate
    raise CannotSave(f"{folder} is full of pictures named {name}")


def save_svg(sheets, folder):
    """Writes what is made anew from what is kept, over what lies there: the paths."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for sheet in sheets:
            file = folder / f"{sheet.name}.svg"
            write_bytes(file, sheet.bytes_of("svg"))
            sheet.close()
            yield file
    except OSError as fault:
        raise CannotSave(f"{folder} cannot be written: {fault.strerror}") from fault


def save_again(sheet, folder):
    """SVG and PNG of what is drawn anew whenever its rows change, over the picture before: the path without ending."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for kind in ("svg", "png"):
            write_bytes(Path(folder) / f"{sheet.name}.{kind}", sheet.bytes_of(kind))
    except OSError as fault:
        raise CannotSave(f"{folder} cannot be written: {fault.strerror}") from fault
    finally:
        sheet.close()
    return Path(folder) / sheet.name


def save(sheets, folder):
    """Writes SVG and PNG of each sheet and closes it; the paths without their ending."""
    folder = Path(folder)
    names = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for sheet in sheets:
            svg = sheet.bytes_of("svg")
            name = free_name(folder, sheet.name, svg)
            write_bytes(folder / f"{name}.svg", svg)
            write_bytes(folder / f"{name}.png", sheet.bytes_of("png"))
            names.append(folder / name)
    except OSError as fault:
        raise CannotSave(f"{folder} cannot be written: {fault.strerror}") from fault
    finally:
        for sheet in sheets:
            sheet.close()
    return names
