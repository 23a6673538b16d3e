"""Saves pictures without overwriting others and without half-written files."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from nbody_lab.core.messages import UserError
from nbody_lab.core.whole_file import write_bytes

if TYPE_CHECKING:  # slow
    from nbody_lab.draw.sheet import Sheet


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Raises UserError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as fault:
        raise UserError(f"{folder} cannot be written: {fault.strerror}") from fault


def _free_name(folder: Path, name: str, content: bytes) -> str:
    """NAME, or NAME-2, NAME-3, ... if another picture has that name; the same picture keeps its name."""
    for k in range(1, 10000):
        candidate = name if k == 1 else f"{name}-{k}"
        file = folder / f"{candidate}.svg"
        if not file.exists() or file.read_bytes() == content:
            return candidate
    raise UserError(f"{folder} is full of pictures named {name}")


def save_svg(sheets: Iterable["Sheet"], folder: Path) -> Iterator[Path]:
    """Writes each sheet as SVG over the previous one; yields the paths."""
    with _made(folder):
        for sheet in sheets:
            file = folder / f"{sheet.name}.svg"
            write_bytes(file, sheet.bytes_of("svg"))
            sheet.close()
            yield file


def save_again(sheet: "Sheet", folder: Path) -> Path:
    """Writes SVG and PNG over the previous picture; returns the path without ending."""
    try:
        with _made(folder):
            for kind in ("svg", "png"):
                write_bytes(folder / f"{sheet.name}.{kind}", sheet.bytes_of(kind))
    finally:
        sheet.close()
    return folder / sheet.name


def save(sheets: Sequence["Sheet"], folder: Path) -> list[Path]:
    """Writes SVG and PNG of each sheet and closes it; returns the paths without ending."""
    paths = []
    try:
        with _made(folder):
            for sheet in sheets:
                svg = sheet.bytes_of("svg")
                path = folder / _free_name(folder, sheet.name, svg)
                write_bytes(path.with_name(f"{path.name}.svg"), svg)
                write_bytes(path.with_name(f"{path.name}.png"), sheet.bytes_of("png"))
                paths.append(path)
    finally:
        for sheet in sheets:
            sheet.close()
    return paths
