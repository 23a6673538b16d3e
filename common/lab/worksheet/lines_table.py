"""The lines of a judged worksheet as a table. A long verdict continues below."""

from screen import GAP, SCREEN, wrapped
from worksheet.line import UNANSWERED, is_choice

INDENT, NARROWEST = 2, 20
TITLES = ("no", "question", "kind", "answer", "verdict")
TO_THE_RIGHT = ("no", "answer")


def verdict_of(line):
    """The verdict; hidden for a choice."""
    told = not is_choice(line) or line.state == UNANSWERED or line.words
    name = line.state if told else "answered"
    return ": ".join(word for word in (name, line.words) if word)


def cells_of(lines):
    """The table's rows. A question's number appears in its first row only."""
    before = [None, *(line.number for line in lines)]
    return [("" if line.number == number else line.number, line.question, line.kind, line.answer, verdict_of(line))
            for number, line in zip(before, lines)]


def with_rows_below(rows, widths):
    left = SCREEN - INDENT - sum(width + GAP for width in widths[:-1])
    for *cells, last in rows:
        first, *more = wrapped(last, width=max(left, NARROWEST)) or [""]
        yield [*cells, first]
        yield from ([""] * len(cells) + [line] for line in more)


def table_text(lines):
    rows = cells_of(lines)
    kept = [k for k in range(len(TITLES)) if any(row[k] for row in rows)]
    titles = [TITLES[k] for k in kept]
    rows = [[row[k] for k in kept] for row in rows]
    rows = list(with_rows_below(rows, [max(map(len, column)) for column in zip(titles, *rows)]))
    widths = [max(map(len, column)) for column in zip(titles, *rows)]
    text = ""
    for row in [titles, ["-" * width for width in widths], *rows]:
        cells = [cell.rjust(width) if title in TO_THE_RIGHT else cell.ljust(width)
                 for title, width, cell in zip(titles, widths, row)]
        text += (" " * INDENT + (" " * GAP).join(cells)).rstrip(" ") + "\n"
    return text
