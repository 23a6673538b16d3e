"""What people see: one console for results and one for messages, and tables that fit the terminal.

Results go to the standard output, messages and progress to the standard error. On a terminal, both have its width and,
unless NO_COLOR is set, its colours; elsewhere there is plain text of 100 columns.
"""

import os
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Console, JustifyMethod, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

WIDTH_IN_A_PIPE = 100

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


def _as_cell(cell: object) -> RenderableType:
    if isinstance(cell, Text):
        return cell
    text = "" if cell is None else str(cell)
    first = text.split(" ", 1)[0].rstrip(":")  # WRONG: and why
    return Text(text, style=VERDICT_STYLES.get(first if first.isupper() else text, ""))


class LabTable:
    """A table as wide as its text or as the console, where cells wrap. A title that begins with > is right-aligned."""

    def __init__(
        self, columns: Sequence[str], rows: Iterable[Sequence[object]], indent: int = 0
    ) -> None:
        self.columns = columns
        self.rows = [list(row) for row in rows]
        self.indent = indent

    def __rich__(self) -> Table:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
        for k, column in enumerate(self.columns):
            justify: JustifyMethod = "right" if column.startswith(">") else "left"
            # Sentences wrap first, names last.
            is_text = any(" " in str(row[k] or "") for row in self.rows)
            title = column.removeprefix(">")
            table.add_column(title, justify=justify, overflow="fold", no_wrap=not is_text)
        table.add_row(*(Rule(characters="-", style="dim") for _ in self.columns))
        for row in self.rows:
            table.add_row(*map(_as_cell, row))
        return table


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


def format_table(columns: Sequence[str], rows: Iterable[Sequence[object]], indent: int = 0) -> str:
    """The table as text for the width of the output."""
    return render(LabTable(columns, rows, indent))


def table_on_screen(
    columns: Sequence[str], rows: Iterable[Sequence[object]], indent: int = 0
) -> str:
    """The same, which is only printed: verdicts have their colours on a terminal."""
    return render(LabTable(columns, rows, indent), colour=output().is_terminal)
