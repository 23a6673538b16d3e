"""Saves pictures without overwriting others and without half-written files."""

from pathlib import Path

from nbody_lab.core.messages import UserError
from nbody_lab.core.whole_file import write_bytes


class CannotSave(UserError):
    """One line: what is wrong."""


def free_name(folder, name, content):
    """NAME, or NAME-2, NAME-3, ... if another picture has that name; the same picture keeps its name."""
    for k in range(1, 10000):
        candidate = name if k == 1 else f"{name}-{k}"
        file = folder / f"{candidate}.svg"
        if not file.exists() or file.read_bytes() == content:
            return candidate
    raise CannotSave(f"{folder} is full of pictures named {name}")


def save_svg(sheets, folder):
    """Writes each sheet as SVG over the previous one; yields the paths."""
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
    """Writes SVG and PNG over the previous picture; returns the path without ending."""
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
    """Writes SVG and PNG of each sheet and closes it; returns the paths without ending."""
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
