"""What people see: results on the standard output, in tables that fit the terminal; messages go to the standard error.

On a terminal, results have its width and, unless NO_COLOR is set, its colours; elsewhere they are plain text of 100 columns.
"""

import re
import sys
import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Console, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

WIDTH_IN_A_PIPE = 100

VERDICT_STYLES = {
    **dict.fromkeys(("passed", "ok", "right"), "green"),
    **dict.fromkeys(("FAILED", "failed", "WRONG", "wrong"), "bold red"),
}


def _console(columns: int | None = None) -> Console:
    """Made anew at each call, since tests replace sys.stdout."""
    on_terminal = sys.stdout.isatty()
    return Console(
        file=sys.stdout,
        width=columns or (None if on_terminal else WIDTH_IN_A_PIPE),
        force_terminal=None if on_terminal else False,
        highlight=False,
        markup=False,
        emoji=False,
    )


def width() -> int:
    """Columns of what is printed: the terminal's, or 100 in a pipe."""
    return _console().width


def wrapped(text: str, indent: str = "", columns: int | None = None) -> list[str]:
    """Lines that fit; all but the first begin with `indent`."""
    return textwrap.wrap(
        text,
        columns or width(),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _as_cell(cell: object) -> Text:
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
        self._columns, self.rows, self._indent = columns, [list(row) for row in rows], indent

    def __rich__(self) -> RenderableType:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
        for k, column in enumerate(self._columns):
            justify: JustifyMethod = "right" if column.startswith(">") else "left"
            # Sentences wrap first, names last.
            is_text = any(" " in str(row[k] or "") for row in self.rows)
            title = column.removeprefix(">")
            table.add_column(title, justify=justify, overflow="fold", no_wrap=not is_text)
        table.add_row(*(Rule(characters="-", style="dim") for _ in self._columns))
        for row in self.rows:
            table.add_row(*map(_as_cell, row))
        return Padding(table, (0, 0, 0, self._indent), expand=False)


def render(item: "RenderableType | LabTable", columns: int | None = None) -> str:
    """The text of a table or of anything else that rich prints, as it is shown."""
    console = _console(columns or width())
    with console.capture() as captured:
        console.print(item)
    lines = captured.get().rstrip("\n").split("\n")
    return "\n".join(re.sub(r" +((?:\x1b\[0m)?)$", r"\1", line) for line in lines)


def format_table(columns: Sequence[str], rows: Iterable[Sequence[object]], indent: int = 0) -> str:
    return render(LabTable(columns, rows, indent))


def show(*items: "RenderableType | LabTable") -> None:
    """Prints results, at once: text as it is, tables as wide as the terminal."""
    for item in items:
        print(item if isinstance(item, str) else render(item), flush=True)
