"""Shares of the time of an iteration on the GPU: one stacked bar per N."""

from collections.abc import Sequence
from pathlib import Path

from nbody_lab.core.messages import UserError
from nbody_lab.draw import theme
from nbody_lab.draw.bench_rows import short
from nbody_lab.draw.sheet import Sheet

_COLOURS = {
    "copies": theme.SERIES[2],
    "kernels": theme.SERIES[6],
    "allocations": theme.SERIES[5],
    "host, launches": theme.QUIET,
}


def read_study(path: Path) -> tuple[str, list[list[float]]]:
    """(head, [[N, percents in the order of _COLOURS]]) of the table that the study prints."""
    try:
        head, _, *lines = path.read_text(encoding="utf-8").splitlines()
        rows = [[float(word) for word in line.split()] for line in lines if line.strip()]
    except OSError as fault:
        raise UserError(f"{path} cannot be read: {fault.strerror}") from fault
    except ValueError:
        rows = []
    if not rows or any(len(row) != 1 + len(_COLOURS) for row in rows):
        raise UserError(f"{path} is not a table written by ./lab bench part3 --study copies")
    return head, rows


def copies_picture(head: str, rows: Sequence[Sequence[float]]) -> Sheet:
    name, _, rest = head.partition(",")
    device, _, day = rest.partition("; ")[2].rpartition("; ")
    first, last = (f"{row[1]:.0f} % at {short(int(row[0]))} bodies" for row in (rows[0], rows[-1]))
    sheet = Sheet(
        "copies",
        f"{name}: copies take {first}, {last}",
        "where the time of an iteration goes; float, adaptive step",
        f"{device.split(', built with')[0]}; {day}",
    )
    axes, bottom = sheet.axes, [0.0] * len(rows)
    for k, (label, colour) in enumerate(_COLOURS.items(), 1):
        shares = [row[k] for row in rows]
        gid, places = f"bars-{label}", range(len(rows))
        axes.bar(places, shares, 0.7, bottom, color=colour, label=label, gid=gid)
        bottom = [low + share for low, share in zip(bottom, shares)]
    axes.set_xticks(range(len(rows)), [short(int(row[0])) for row in rows])
    axes.set_ylim(0, 100)
    axes.grid(False, axis="x")
    axes.set_xlabel("bodies N")
    axes.set_ylabel("percent of the wall-clock time")
    sheet.legend_beside(reverse=True)
    return sheet
