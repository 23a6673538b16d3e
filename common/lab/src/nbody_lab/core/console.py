"""What people see: one console for results and one for messages, and tables that fit the terminal.

Results go to the standard output, messages and progress to the standard error. On a terminal, both have its width and,
unless NO_COLOR is set, its colours; elsewhere there is plain text of 100 columns.
"""

import os
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

WIDTH_IN_A_PIPE = 100
_GAP = 2  # blanks between columns

VERDICT_STYLES = {
    "passed": "green",
    "ok": "green",
    "right": "green",
    "FAILED": "bold red",
    "failed": "bold red",
    "WRONG": "bold red",
    "wrong": "bold red",
}


def _console(stream_name: str) -> Console:
    stream = getattr(sys, stream_name)
    return Console(
        file=stream,
        width=None if stream.isatty() else WIDTH_IN_A_PIPE,
        force_terminal=None if stream.isatty() else False,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )


def output() -> Console:
    """For results. Made anew at each call, since tests replace sys.stdout."""
    return _console("stdout")


def width() -> int:
    """Columns of what is printed: the terminal's, or 100 in a pipe."""
    return output().width


def wrapped(text: str, indent: str = "", columns: int | None = None) -> list[str]:
    """Lines that fit; all but the first begin with `indent`."""
    return textwrap.wrap(
        text,
        columns or width(),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


@dataclass(frozen=True)
class Column:
    """A column of a table. Of those with `drop`, the highest is left out first where the table does not fit."""

    title: str
    right: bool = False
    drop: int = 0  # 0: never


def _as_column(column: "Column | str") -> Column:
    if isinstance(column, Column):
        return column
    return Column(column.removeprefix(">"), right=column.startswith(">"))


def _as_cell(cell: object) -> RenderableType:
    if isinstance(cell, Text):
        return cell
    text = "" if cell is None else str(cell)
    first = text.split(" ", 1)[0].rstrip(":")  # WRONG: and why
    return Text(text, style=VERDICT_STYLES.get(first if first.isupper() else text, ""))


def _least_width(column: Column, cells: Sequence[object]) -> int:
    words = [word for cell in [column.title, *cells] for word in str(cell or "").split()]
    return max(map(len, words), default=1)


def _width(columns: Sequence[int]) -> int:
    return sum(columns) + _GAP * (len(columns) - 1)


def _with_gaps(cells: Sequence[RenderableType]) -> list[RenderableType]:
    return [part for cell in cells for part in ("", cell)][1:]


class LabTable:
    """A table whose columns fit the console: cells wrap between words, and the least important columns go first; without
    `wraps`, they go before anything is wrapped."""

    def __init__(
        self,
        columns: Sequence[Column | str],
        rows: Iterable[Sequence[object]],
        indent: int = 0,
        wraps: bool = True,
    ) -> None:
        self.columns = [_as_column(column) for column in columns]
        self.rows = [list(row) for row in rows]
        self.indent = indent
        self.wraps = wraps

    def _natural_widths(self) -> list[int]:
        return [
            max(map(len, [column.title, *(str(row[k] or "") for row in self.rows)]))
            for k, column in enumerate(self.columns)
        ]

    def _shown(self, least: Sequence[int], room: int) -> list[int]:
        """The numbers of the columns that fit."""
        shown = list(range(len(self.columns)))
        while _width([least[k] for k in shown]) > room:
            droppable = [k for k in shown if self.columns[k].drop]
            if not droppable:
                break
            shown.remove(max(droppable, key=lambda k: self.columns[k].drop))
        return shown

    def _widths(self, least: Sequence[int], shown: Sequence[int], room: int) -> list[int]:
        """The widest shrinks, down to its longest word, until all fit; words break only if there is no other way."""
        natural = self._natural_widths()
        widths = [natural[k] for k in shown]
        least = least if _width(least) <= room else [1] * len(shown)
        while _width(widths) > room and widths != list(least):
            can_shrink = [k for k in range(len(widths)) if widths[k] > least[k]]
            widths[max(can_shrink, key=lambda k: widths[k])] -= 1
        return widths

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterable[RenderableType]:
        room = options.max_width
        least = [
            _least_width(column, [row[k] for row in self.rows])
            for k, column in enumerate(self.columns)
        ]
        shown = self._shown(least if self.wraps else self._natural_widths(), room)
        widths = self._widths([least[k] for k in shown], shown, room)
        # A gap is a column of its own, so that a width is that of the text.
        table = Table(box=None, padding=0, pad_edge=False, header_style="bold")
        for k, width in zip(shown, widths):
            if k != shown[0]:
                table.add_column(width=_GAP, no_wrap=True)
            table.add_column(
                self.columns[k].title,
                justify="right" if self.columns[k].right else "left",
                width=width,
                overflow="fold",
            )
        table.add_row(*_with_gaps([Rule(characters="-", style="dim") for _ in shown]))
        for row in self.rows:
            table.add_row(*_with_gaps([_as_cell(row[k]) for k in shown]))
        yield table


def render(
    item: RenderableType | LabTable, columns: int | None = None, colour: bool = False
) -> str:
    """The text of a table or of anything else that rich prints, without blanks at the ends of lines."""
    indent = item.indent if isinstance(item, LabTable) else 0
    console = Console(
        width=(columns or width()) - indent,
        force_terminal=colour,
        color_system="standard" if colour and "NO_COLOR" not in os.environ else None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    with console.capture() as captured:
        console.print(item)
    lines = captured.get().rstrip("\n").split("\n")
    return "\n".join(re.sub(r"[ ]+((?:\x1b\[0m)?)$", r"\1", " " * indent + line) for line in lines)


def show(*items: "RenderableType | LabTable") -> None:
    """Prints results: text as it is, tables as wide as the terminal."""
    console = output()
    for item in items:
        text = item if isinstance(item, str) else render(item, console.width, console.is_terminal)
        print(text)


def format_table(
    columns: Sequence[Column | str], rows: Iterable[Sequence[object]], indent: int = 0
) -> str:
    """The table as text for the width of the output."""
    return render(LabTable(columns, rows, indent))


def table_on_screen(
    columns: Sequence[Column | str], rows: Iterable[Sequence[object]], indent: int = 0
) -> str:
    """The same, which is only printed: verdicts have their colours on a terminal."""
    return render(LabTable(columns, rows, indent), colour=output().is_terminal)
