"""Tables in colours: threads against N, and the block size of a GPU against N."""

import re

from nbody_lab.draw import theme
from nbody_lab.draw.bench_result import Result, threads
from nbody_lab.draw.sheet import Sheet
from nbody_lab.draw.sweeps import about, short


def draw_grid(axes, columns, lines, cells, shade, bold=lambda column, line: False):
    """cells(column, line): the words; shade(column, line): 0 to 1, how dark."""
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
                cells(column, line),
                ha="center",
                va="center",
                fontsize=9,
                fontweight="bold" if bold(column, line) else "normal",
            )
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.grid(False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def one_kind(result, rows):
    return Result(result.context, list(rows.values()))


def figure(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def threads_by_bodies(result, name):
    """10^9 interactions/s of one implementation in its first precision, per number of threads and of bodies."""
    precision = next(row.precision for row in result.rows if row.name == name)
    rows = {
        (row.threads, row.n): row
        for row in result.rows
        if (row.name, row.precision) == (name, precision)
    }
    counts, sizes = sorted({key[0] for key in rows}), sorted({key[1] for key in rows})
    most = max(row.judged for row in rows.values())
    best = {n: max(rows[t, n].judged for t in counts if (t, n) in rows) for n in sizes}
    sheet = Sheet(
        f"threads_by_n_{name.replace('/', '_')}",
        f"{result.part}, {name}: threads and bodies",
        about(
            one_kind(result, rows),
            "10^9 interactions/s; bold: the best number of threads for that number of bodies",
        ),
        result.footnote(),
        height=190 + 42 * len(counts),
    )

    def at(count, n):
        return rows[count, n].judged if (count, n) in rows else 0

    draw_grid(
        sheet.axes,
        sizes,
        counts,
        lambda n, t: figure(at(t, n) / 1e9) if at(t, n) else "",
        lambda n, t: at(t, n) / most,
        lambda n, t: at(t, n) == best[n],
    )
    sheet.axes.set_xticks(range(len(sizes)), [short(n) for n in sizes])
    sheet.axes.set_yticks(range(len(counts)), [threads(count) for count in counts])
    sheet.axes.set_xlabel("bodies N")
    return sheet


def multiprocessors(device):
    """132 for 'NVIDIA H200 (132 SM, at most 1980 MHz), ...'; 0 if not given."""
    found = re.search(r"\((\d+) SM", device)
    return int(found[1]) if found else 0


def blocks_of_grid(result, name):
    """N/p: how many blocks of p threads the bodies fill, beside the rate; as the table of the first handout."""
    units = multiprocessors(result.context.get("device", ""))
    first = next(row for row in result.rows if row.name == name)
    rows = {
        (row.block, row.n): row
        for row in result.rows
        if (row.name, row.precision, row.unroll) == (name, first.precision, first.unroll)
    }
    blocks, sizes = sorted({key[0] for key in rows}), sorted({key[1] for key in rows})
    best = {n: max(rows[p, n].judged for p in blocks if (p, n) in rows) for n in sizes}
    sheet = Sheet(
        f"blocks_of_grid_{name.replace('/', '_')}",
        f"{result.part}, {name}: blocks in the grid, N/p",
        about(
            one_kind(result, rows),
            f"below: 10^9 interactions/s; bold: fastest in its row; "
            f"shaded: at least {units} blocks, one per SM",
        ),
        result.footnote(),
        height=200 + 46 * len(sizes),
    )
    draw_grid(
        sheet.axes,
        blocks,
        sizes,
        lambda p, n: (
            f"{n // p}\n{figure(rows[p, n].judged / 1e9)}" if (p, n) in rows else f"{n // p}"
        ),
        lambda p, n: 0.7 if n >= units * p else 0.0,
        lambda p, n: (p, n) in rows and rows[p, n].judged == best[n],
    )
    sheet.axes.set_xticks(range(len(blocks)), blocks)
    sheet.axes.set_yticks(range(len(sizes)), [short(n) for n in sizes])
    sheet.axes.set_xlabel("threads per block p")
    sheet.axes.set_ylabel("bodies N")
    return sheet
