"""All pictures of a result of ./lab bench: beside the ladder, lines along what was swept (bodies, threads, ranks, block size,
unroll factor), and tables in colours of two of these."""

import re
from collections.abc import Callable, Sequence

from matplotlib.axes import Axes

from nbody_lab.draw import theme
from nbody_lab.draw.bench import (
    RATE,
    about,
    footnote,
    in_words,
    ladder,
    lines_of,
    pieces,
    short,
    values,
    whisker,
    with_rows,
)
from nbody_lab.draw.labels import name_lines
from nbody_lab.draw.sheet import Sheet, Ticks, set_log_ticks
from nbody_lab.draw.theme import FLOPS
from nbody_lab.measure.bench_file import TUNED, BenchResult, BenchRow

_AXES = ("n", "threads", "ranks", *TUNED)  # what a bench can sweep: fields of a row
_LABELS = {
    "n": "bodies N",
    "block": "threads per block",
    "grid": "blocks of the grid",
    "unroll": "interactions per pass of the loop",
}

_Height = Callable[[BenchRow, float], float]  # (row, interactions/s) -> what is drawn


def pictures_of(result: BenchResult) -> list[Sheet]:
    """The sheets, with the ladder first."""
    swept = [axis for axis in _AXES if len(values(result, axis)) > 1]
    is_tuning = bool(set(TUNED) & set(swept))
    several = len(result.names) > 1
    sheets = [ladder(result)] if several or not is_tuning else []
    if "n" in swept and not is_tuning:
        sheets += [time_by_bodies(result), flops_by_bodies(result)]
        sheets += [ratio_by_bodies(result)] if several else []
    sheets += [by_workers(result, axis) for axis in ("threads", "ranks") if axis in swept]
    sheets += [by_tuning(result, axis) for axis in TUNED if axis in swept]
    if "n" in swept:
        axes = [axis for axis in ("threads", "ranks", "unroll") if axis in swept]
        sheets += [grid_by_bodies(result, name, axis) for axis in axes for name in result.names]
    if "n" in swept and "block" in swept and _multiprocessors(result.context.device):
        sheets += [blocks_of_grid(result, name) for name in result.names]
    return sheets


# --- lines along what was swept ------------------------------------------------------------------


def _sweep(
    name: str,
    found: str,
    result: BenchResult,
    axis: str,
    height: _Height,
    label: str,
    *more: str,
) -> Sheet:
    """A line with whiskers for each program and setup, over the values of the axis. `found`: the title after the part;
    `label`: of the heights; `more`: after the conditions."""
    sheet = Sheet(name, f"{result.context.part}{found}", about(result, *more), footnote(result))
    axes, all_values = sheet.axes, values(result, axis)
    for k, (words, rows) in enumerate(lines_of(result, axis)):
        for j, run in enumerate(pieces(rows, axis, all_values)):
            heights = [height(row, row.speed) for row in run]
            ends = [sorted(height(row, rate) for rate in whisker(row)) for row in run]
            whiskers = [(h - low, high - h) for h, (low, high) in zip(heights, ends)]
            drawn = axes.errorbar(
                [getattr(row, axis) for row in run],
                heights,
                yerr=list(zip(*whiskers)),
                **theme.series(k),
                elinewidth=1.4,
                label="_more" if j else words,
            )
            drawn.lines[0].set_gid(f"line-{words}-{j + 1}")
    if axis == "n":
        rotation = 45 if len(all_values) > 8 else 0
        set_log_ticks(axes, all_values, [short(n) for n in all_values], rotation=rotation)
        axes.set_xlim(all_values[0] * 0.9, all_values[-1] * 1.1)
    elif axis in TUNED:
        set_log_ticks(axes, all_values, base=2)
    else:
        margin = 0.08 * (all_values[-1] - all_values[0])
        axes.set_xticks(all_values)
        axes.set_xlim(all_values[0] - margin, all_values[-1] + margin)
    axes.set(xlabel=_LABELS.get(axis, axis), ylabel=label)
    return sheet


def _fastest(rows: Sequence[BenchRow]) -> BenchRow:
    return max(rows, key=lambda row: row.speed)


def time_by_bodies(result: BenchResult) -> Sheet:
    """Of the title are the first program and the fastest, for the most bodies that the first was given."""
    sizes, anchor = values(result, "n"), lines_of(result, "n")[0][1][-1]
    unit, name = theme.scale_of(anchor.n**2 / anchor.speed, theme.SECONDS)

    def time(row: BenchRow, rate: float) -> float:
        return float(row.n**2 / rate / unit)

    first = max((row for row in result.summary if row.name == result.names[0]), key=lambda r: r.n)
    best = _fastest([row for row in result.summary if row.n == first.n])
    named = dict.fromkeys([best, first])
    spent = ", ".join(f"{row.name} {time(row, row.speed):.3g} {name}" for row in named)
    found = f", {short(first.n)} bodies: {spent} for an iteration"
    sheet = _sweep("time", found, result, "n", time, f"time of one iteration ({name})")
    axes, ends = sheet.axes, [sizes[0], sizes[-1]]
    guide = [2 * time(anchor, anchor.speed) * (n / anchor.n) ** 2 for n in ends]
    axes.plot(ends, guide, color=theme.QUIET, linestyle=":", label="as N squared", gid="guide")
    axes.set_yscale("log")
    axes.set_ylim(bottom=min(time(row, row.speed) for row in result.summary) / 2)
    axes.yaxis.set_major_formatter(Ticks())
    axes.minorticks_off()
    name_lines(sheet)
    return sheet


def ratio_by_bodies(result: BenchResult) -> Sheet:
    """The speed-up over the first program, in the rounds of both."""
    first = result.names[0]
    base = {(r.n, r.precision): r for r in reversed(result.summary) if r.name == first}

    def ratio(row: BenchRow, rate: float) -> float:
        """0: the two cannot be compared."""
        first_row = base.get((row.n, row.precision))
        return ((first_row and row.ratio(first_row)) or 0) * rate / row.speed

    rows = [row for row in result.summary if ratio(row, row.speed)]

    best = max(rows, key=lambda row: ratio(row, row.speed))
    found = f": {best.name} is up to {theme.times(ratio(best, best.speed))} as fast as {first}"
    if not result.context.device:
        workers = "ranks" if best.ranks else "threads"
        found += f" on {in_words(workers, getattr(best, workers))}"
    kept, same = with_rows(result, rows), "at the same number of bodies"
    sheet = _sweep("ratio", found, kept, "n", ratio, f"x {first}", same)
    heights = [ratio(row, row.speed) for row in rows]
    low, high = min(heights) / 1.3, max(heights) * 1.3
    if high < 8 * low:
        sheet.axes.set_ylim(0, high)
    else:
        ticks = theme.round_steps(low, high)
        sheet.axes.set(yscale="log", ylim=(low, high))
        sheet.axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        sheet.axes.minorticks_off()
    name_lines(sheet)
    return sheet


def flops_by_bodies(result: BenchResult) -> Sheet:
    """Where the peak is known, how near to it."""
    peak, best = result.context.device_peak_flops_per_s, _fastest(result.summary)
    most = max(peak, *(FLOPS * whisker(row)[1] for row in result.summary))
    unit, name = theme.scale_of(most, theme.FLOP_RATES)
    found = f": {best.name} reaches {theme.three_digits(FLOPS * best.speed / unit)} {name}"
    found += f", {100 * FLOPS * best.speed / peak:.0f} % of the peak" if peak else ""
    counted = f"by {FLOPS} flops per interaction"
    sheet = _sweep("flops", found, result, "n", lambda _, rate: FLOPS * rate / unit, name, counted)
    axes, beside = sheet.axes, 1.01
    if peak:
        look = theme.line(theme.QUIET, 1.8, ":")
        axes.axhline(peak / unit, label="peak of the device", gid="peak", **look)
        percent = 100 * unit / peak
        scales = (lambda height: height * percent, lambda share: share / percent)
        axes.secondary_yaxis("right", functions=scales).set_ylabel("percent of the peak")
        beside = 1.12
    axes.set_ylim(0, 1.08 * most / unit)
    sheet.legend_beside(bbox_to_anchor=(beside, 1))
    return sheet


def by_workers(result: BenchResult, axis: str) -> Sheet:
    """What more threads or ranks gain, for the largest N: fewer bodies tell about starting threads, which `./lab bench`
    says in words."""
    n, fewest = values(result, "n")[-1], values(result, axis)[0]
    other = "ranks" if axis == "threads" else "threads"
    beside = values(result, other)[0]  # of both, only one is looked at
    rows = [row for row in result.summary if row.n == n and getattr(row, other) == beside]
    base = {(row.name, row.precision): row.speed for row in rows if getattr(row, axis) == fewest}
    rows = [row for row in rows if (row.name, row.precision) in base]

    def gain(row: BenchRow, rate: float) -> float:
        return rate / base[row.name, row.precision]

    # What other programs disturbed is drawn, but it is no finding.
    disturbed = {row.name for row in rows if row.busy_machine}
    sure = [row for row in rows if row.name not in disturbed]
    best = max(sure or rows, key=lambda row: gain(row, row.speed))
    gained, fewer = theme.times(gain(best, best.speed)), in_words(axis, fewest)
    more = in_words(axis, getattr(best, axis))
    found = f": {best.name} with {more} is {gained} as fast as with {fewer}"
    largest = with_rows(result, rows)
    sheet = _sweep(axis, found, largest, axis, gain, f"x the same with {fewer}")
    counts = values(largest, axis)
    ideal = [count / counts[0] for count in counts]
    look = theme.line(width=2.2, dashes=":")
    sheet.axes.plot(counts, ideal, zorder=4, label="ideal", gid="ideal", **look)
    highest = [gain(row, whisker(row)[1]) for row in rows]
    sheet.axes.set_ylim(0, 1.12 * max(ideal[-1], *highest))
    name_lines(sheet)
    return sheet


def by_tuning(result: BenchResult, axis: str) -> Sheet:
    """By block size, unroll factor or grid. What is fastest depends on how many bodies there are to share out."""
    best = _fastest(result.summary)
    setting = in_words(axis, getattr(best, axis))
    setting = f"with {setting}" if axis in ("block", "grid") else setting
    found = f", {short(best.n)} bodies: {best.name} is fastest {setting}"
    sheet = _sweep(axis, found, result, axis, lambda _, rate: rate / 1e9, RATE)
    most = max(whisker(row)[1] for row in result.summary)
    sheet.axes.set_ylim(0, 1.08 * most / 1e9)
    name_lines(sheet)
    return sheet


# --- tables in colours ---------------------------------------------------------------------------

# By bodies, and threads, ranks, unroll factor or block size.
_Cells = dict[tuple[int, int], BenchRow]


def _cells_of(result: BenchResult, name: str, axis: str) -> _Cells:
    """The rows of one implementation in its first precision and launch."""
    own = [row for row in result.summary if row.name == name]
    first = own[0].setup
    swept = {"n": first.n, axis: getattr(first, axis)}
    return {(row.n, getattr(row, axis)): row for row in own if row.setup._replace(**swept) == first}


def _table(
    result: BenchResult, kind: str, name: str, axis: str, cells: _Cells, words: str, height: int
) -> tuple[Sheet, dict[int, BenchRow]]:
    """An empty table whose title is what was best, and the best row for each number of bodies."""
    sizes = sorted({n for n, _ in cells})
    best = {n: _fastest([row for row in cells.values() if row.n == n]) for n in sizes}
    found = [in_words(axis, getattr(best[n], axis)) for n in sizes]
    ends = f"{found[0]} at {short(sizes[0])} bodies, {found[-1]} at {short(sizes[-1])}"
    fastest = f"{found[0]} at every N" if len(set(found)) == 1 else ends
    sheet = Sheet(
        f"{kind}_{name.replace('/', '_')}",
        f"{result.context.part}, {name}: fastest with {fastest}",
        about(with_rows(result, list(cells.values())), words),
        footnote(result, has_whiskers=False),
        height=height,
    )
    return sheet, best


def _draw_cell(axes: Axes, k: int, j: int, gid: str, words: str, shade: float, bold: bool) -> None:
    """In column k of line j; `shade`: from 0 to 1, how dark."""
    across = [k - 0.5, k + 0.5, k + 0.5, k - 0.5]
    down = [j - 0.5, j - 0.5, j + 0.5, j + 0.5]
    look = theme.line(theme.BAR, 0) | {"alpha": 0.08 + 0.62 * shade}
    axes.fill(across, down, gid=f"cell-{gid}", **look)
    axes.text(k, j, words, ha="center", va="center", fontweight="bold" if bold else "normal")


def _label_cells(axes: Axes, columns: Sequence[str], lines: Sequence[str]) -> None:
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(lines)), lines)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(lines) - 0.5, -0.5))
    axes.grid(False)
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)


def _billions(row: BenchRow | None) -> str:
    return theme.three_digits(row.speed / 1e9) if row else ""


def _beside_fewest(row: BenchRow | None, fewest: BenchRow | None) -> str:
    """48.0, and below it 9.05 x, where the rounds agree on that."""
    ratio = row.shown_ratio(fewest) if row and fewest and row is not fewest else None
    return f"{_billions(row)}\n{theme.times(ratio)}" if ratio else _billions(row)


def grid_by_bodies(result: BenchResult, name: str, axis: str) -> Sheet:
    """Speeds of one implementation by threads, ranks or unrolling, and bodies; below each, in multiples of the fewest."""
    cells = _cells_of(result, name, axis)
    sizes, counts = (sorted({key[k] for key in cells}) for k in (0, 1))
    labels = [f"{k} a pass" if axis == "unroll" else in_words(axis, k) for k in counts]
    words = f"{RATE}; bold: the best for that number of bodies; x: times {labels[0]}"
    height = 190 + 46 * len(counts)
    sheet, best = _table(result, f"{axis}_by_n", name, axis, cells, words, height)
    most = max(row.speed for row in best.values())
    for j, count in enumerate(counts):
        for k, n in enumerate(sizes):
            row = cells.get((n, count))
            shade = row.speed / most if row else 0
            text = _beside_fewest(row, cells.get((n, counts[0])))
            _draw_cell(sheet.axes, k, j, f"{n}-{count}", text, shade, row is best[n])
    _label_cells(sheet.axes, [short(n) for n in sizes], labels)
    sheet.axes.set_xlabel(_LABELS["n"])
    return sheet


def _multiprocessors(device: str) -> int:
    """132 for 'NVIDIA H200 (132 SM, at most 1980 MHz), ...'; 0 if not given."""
    found = re.search(r"\((\d+) SM", device)
    return int(found[1]) if found else 0


def blocks_of_grid(result: BenchResult, name: str) -> Sheet:
    """N/p: how many blocks of p threads the bodies fill, beside the rate; as the table of the first handout."""
    units, cells = _multiprocessors(result.context.device), _cells_of(result, name, "block")
    sizes, blocks = (sorted({key[k] for key in cells}) for k in (0, 1))
    words = f"blocks in the grid, N/p; below: {RATE}; bold: fastest in its row; "
    words += f"shaded: at least {units} blocks, one per SM"
    height = 200 + 46 * len(sizes)
    sheet, best = _table(result, "blocks_of_grid", name, "block", cells, words, height)
    for j, n in enumerate(sizes):
        for k, p in enumerate(blocks):
            row = cells.get((n, p))
            shade = 0.7 if n >= units * p else 0
            text = f"{n // p}\n{_billions(row)}".strip()
            _draw_cell(sheet.axes, k, j, f"{p}-{n}", text, shade, row is best[n])
    _label_cells(sheet.axes, [str(p) for p in blocks], [short(n) for n in sizes])
    sheet.axes.set(xlabel=f"{_LABELS['block']} p", ylabel=_LABELS["n"])
    return sheet
