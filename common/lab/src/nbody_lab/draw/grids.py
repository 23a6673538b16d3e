"""Tables in colours: threads, ranks or unrolling against N, and the block size of a GPU against N."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.axes import Axes

from nbody_lab.core.bench_file import BenchResult, BenchRow
from nbody_lab.draw import theme
from nbody_lab.draw.bench_rows import about, footnote, in_words, short, with_rows
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
            weight = "bold" if is_bold(column, line) else "normal"
            look = theme.text() | {"ha": "center", "va": "center", "fontweight": weight}
            axes.text(k, j, words(column, line), **look)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.grid(False)
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)


def _cells_of(result: BenchResult, name: str, column: str, line: str) -> _Cells:
    """The rows of one implementation in its first precision and launch."""
    own = [row for row in result.summary if row.name == name]
    first = own[0].setup
    swept = {column: getattr(first, column), line: getattr(first, line)}
    return {
        (getattr(row, column), getattr(row, line)): row
        for row in own
        if row.setup._replace(**swept) == first
    }


def _best_by_bodies(cells: _Cells) -> dict[int, BenchRow]:
    best: dict[int, BenchRow] = {}
    for row in cells.values():
        if row.n not in best or row.speed > best[row.n].speed:
            best[row.n] = row
    return best


def _finding(part: str, name: str, best: dict[int, BenchRow], axis: str) -> str:
    rows = [best[n] for n in sorted(best)]
    found = [
        f"{in_words(axis, getattr(row, axis))} at {short(row.n)}" for row in (rows[0], rows[-1])
    ]
    return f"{part}, {name}: fastest with {' bodies, '.join(found)}"


def _billions(row: BenchRow) -> str:
    return theme.three_digits(row.speed / 1e9)


def by_bodies(result: BenchResult, name: str, axis: str) -> Sheet:
    """10⁹ interactions/s of one implementation by threads, ranks or unrolling, and bodies."""
    cells, part = _cells_of(result, name, "n", axis), result.context.part
    sizes, counts = (sorted({key[k] for key in cells}) for k in (0, 1))
    best = _best_by_bodies(cells)
    most = max(row.speed for row in best.values())
    words = "10⁹ interactions/s; bold: the best for that number of bodies"
    sheet = Sheet(
        f"{axis}_by_n_{name.replace('/', '_')}",
        _finding(part, name, best, axis),
        about(with_rows(result, list(cells.values())), words),
        footnote(result, has_whiskers=False),
        height=190 + 42 * len(counts),
    )
    _draw_grid(
        sheet.axes,
        sizes,
        counts,
        lambda *cell: _billions(cells[cell]) if cell in cells else "",
        lambda *cell: cells[cell].speed / most if cell in cells else 0,
        lambda *cell: cells.get(cell) is best[cell[0]],
    )
    sheet.axes.set_xticks(range(len(sizes)), [short(n) for n in sizes])
    labels = [f"{k} a pass" if axis == "unroll" else in_words(axis, k) for k in counts]
    sheet.axes.set_yticks(range(len(counts)), labels)
    sheet.axes.set_xlabel("bodies N")
    return sheet


def multiprocessors(device: str) -> int:
    """132 for 'NVIDIA H200 (132 SM, at most 1980 MHz), ...'; 0 if not given."""
    found = re.search(r"\((\d+) SM", device)
    return int(found[1]) if found else 0


def blocks_of_grid(result: BenchResult, name: str) -> Sheet:
    """N/p: how many blocks of p threads the bodies fill, beside the rate; as the table of the first handout."""
    units, part = multiprocessors(result.context.device), result.context.part
    cells = _cells_of(result, name, "block", "n")
    blocks, sizes = (sorted({key[k] for key in cells}) for k in (0, 1))
    best = _best_by_bodies(cells)
    words = "blocks in the grid, N/p; below: 10⁹ interactions/s; bold: fastest in its row; "
    words += f"shaded: at least {units} blocks, one per SM"
    sheet = Sheet(
        f"blocks_of_grid_{name.replace('/', '_')}",
        _finding(part, name, best, "block"),
        about(with_rows(result, list(cells.values())), words),
        footnote(result, has_whiskers=False),
        height=200 + 46 * len(sizes),
    )
    _draw_grid(
        sheet.axes,
        blocks,
        sizes,
        lambda p, n: f"{n // p}\n{_billions(cells[p, n])}" if (p, n) in cells else f"{n // p}",
        lambda p, n: 0.7 if n >= units * p else 0.0,
        lambda p, n: cells.get((p, n)) is best[n],
    )
    sheet.axes.set_xticks(range(len(blocks)), blocks)
    sheet.axes.set_yticks(range(len(sizes)), [short(n) for n in sizes])
    sheet.axes.set_xlabel("threads per block p")
    sheet.axes.set_ylabel("bodies N")
    return sheet
