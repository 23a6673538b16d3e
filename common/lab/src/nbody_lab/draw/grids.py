"""Tables in colours: threads, ranks or unrolling against N, and the block size of a GPU against N."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.axes import Axes

from nbody_lab.core.bench_file import BenchResult, BenchRow
from nbody_lab.draw import theme
from nbody_lab.draw.bench_rows import about, footnote, ranks, short, threads, with_rows
from nbody_lab.draw.sheet import Sheet

_Cells = dict[tuple[Any, Any], BenchRow]  # (column, line)


def _draw_grid(
    axes: Axes,
    columns: Sequence[Any],
    lines: Sequence[Any],
    words: Callable[[Any, Any], str],
    shade: Callable[[Any, Any], float],
    is_bold: Callable[[Any, Any], bool],
) -> None:
    """A cell for each column and line; `shade`: from 0 to 1, how dark."""
    for j, line in enumerate(lines):
        for k, column in enumerate(columns):
            axes.fill(
                [k - 0.5, k + 0.5, k + 0.5, k - 0.5],
                [j - 0.5, j - 0.5, j + 0.5, j + 0.5],
                color=theme.BAR,
                alpha=0.08 + 0.62 * shade(column, line),
                linewidth=0,
                gid=f"cell-{column}-{line}",
            )
            axes.text(
                k,
                j,
                words(column, line),
                ha="center",
                va="center",
                fontsize=9,
                fontweight="bold" if is_bold(column, line) else "normal",
            )
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.grid(False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def _billions(row: BenchRow) -> str:
    return theme.three_digits(row.speed / 1e9)


def _in_file_name(name: str) -> str:
    return name.replace("/", "_")


_WORDS: dict[str, tuple[str, Callable[[int], str]]] = {
    "threads": ("threads", threads),
    "ranks": ("ranks", ranks),
    "unroll": ("unrolling", lambda count: f"{count} a pass"),
}


def by_bodies(result: BenchResult, name: str, axis: str) -> Sheet:
    """10^9 interactions/s of one implementation in its first precision and launch, by threads, ranks or unrolling, and bodies."""
    first = next(row for row in result.summary if row.name == name).setup

    def is_like_first(row: BenchRow) -> bool:
        return row.setup._replace(**{"n": first.n, axis: getattr(first, axis)}) == first

    cells: _Cells = {
        (row.n, getattr(row, axis)): row
        for row in result.summary
        if row.name == name and is_like_first(row)
    }
    sizes, counts = (sorted({key[k] for key in cells}) for k in (0, 1))
    best = {n: max(row.speed for (size, _), row in cells.items() if size == n) for n in sizes}
    most = max(best.values())
    what, in_words = _WORDS[axis]
    sheet = Sheet(
        f"{axis}_by_n_{_in_file_name(name)}",
        f"{result.context.part}, {name}: {what} and bodies",
        about(
            with_rows(result, list(cells.values())),
            "10^9 interactions/s; bold: the best for that number of bodies",
        ),
        footnote(result, has_whiskers=False),
        height=190 + 42 * len(counts),
    )
    _draw_grid(
        sheet.axes,
        sizes,
        counts,
        lambda *cell: _billions(cells[cell]) if cell in cells else "",
        lambda *cell: cells[cell].speed / most if cell in cells else 0,
        lambda *cell: cell in cells and cells[cell].speed == best[cell[0]],
    )
    sheet.axes.set_xticks(range(len(sizes)), [short(n) for n in sizes])
    sheet.axes.set_yticks(range(len(counts)), [in_words(count) for count in counts])
    sheet.axes.set_xlabel("bodies N")
    return sheet


def multiprocessors(device: str) -> int:
    """132 for 'NVIDIA H200 (132 SM, at most 1980 MHz), ...'; 0 if not given."""
    found = re.search(r"\((\d+) SM", device)
    return int(found[1]) if found else 0


def blocks_of_grid(result: BenchResult, name: str) -> Sheet:
    """N/p: how many blocks of p threads the bodies fill, beside the rate; as the table of the first handout."""
    units = multiprocessors(result.context.device)
    first = next(row for row in result.summary if row.name == name)
    cells: _Cells = {
        (row.block, row.n): row
        for row in result.summary
        if (row.name, row.precision, row.unroll) == (name, first.precision, first.unroll)
    }
    blocks, sizes = (sorted({key[k] for key in cells}) for k in (0, 1))
    best = {n: max(row.speed for (_, size), row in cells.items() if size == n) for n in sizes}
    sheet = Sheet(
        f"blocks_of_grid_{_in_file_name(name)}",
        f"{result.context.part}, {name}: blocks in the grid, N/p",
        about(
            with_rows(result, list(cells.values())),
            f"below: 10^9 interactions/s; bold: fastest in its row; "
            f"shaded: at least {units} blocks, one per SM",
        ),
        footnote(result, has_whiskers=False),
        height=200 + 46 * len(sizes),
    )
    _draw_grid(
        sheet.axes,
        blocks,
        sizes,
        lambda p, n: f"{n // p}\n{_billions(cells[p, n])}" if (p, n) in cells else f"{n // p}",
        lambda p, n: 0.7 if n >= units * p else 0.0,
        lambda p, n: (p, n) in cells and cells[p, n].speed == best[n],
    )
    sheet.axes.set_xticks(range(len(blocks)), blocks)
    sheet.axes.set_yticks(range(len(sizes)), [short(n) for n in sizes])
    sheet.axes.set_xlabel("threads per block p")
    sheet.axes.set_ylabel("bodies N")
    return sheet
