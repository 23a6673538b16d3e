"""The columns of notebook.csv, in order, and which of them NOTEBOOK.md shows."""

from collections import namedtuple

# name: in the CSV; title: in NOTEBOOK.md, empty if not shown; kind: how the value is formatted and parsed
Column = namedtuple("Column", "name title kind")

COLUMNS = [
    Column("row", "#", "count"),
    Column("date", "date", "text"),
    Column("name", "name", "text"),
    Column("idea", "idea", "text"),
    Column("expected", "expected", "ratio"),
    Column("measured", "measured", "ratio"),
    Column("against", "against", "text"),
    Column("times_naive", "x naive", "ratio"),
    Column("interactions_per_s", "10^9 interactions/s", "rate"),
    Column("spread", "spread", "share"),
    Column("n", "bodies", "count"),
    Column("threads", "threads", "text"),
    Column("verdict", "verdict", "text"),
    Column("estimated", "", "text"),
    Column("lower", "", "ratio"),
    Column("upper", "", "ratio"),
    Column("step", "", "text"),
    Column("scene", "", "text"),
    Column("precision", "", "text"),
    Column("device", "", "text"),
    Column("flags", "", "text"),
    Column("source", "", "text"),
]
NAMES = [column.name for column in COLUMNS]
SHOWN = [column for column in COLUMNS if column.title]
# The first columns of a table written by a lab that had no CSV.
OLD_TITLES = [
    "#",
    "date",
    "name",
    "idea",
    "expected",
    "measured",
    "x naive",
    "10^9 interactions/s",
    "spread",
    "verdict",
]


def number(text):
    """A finite number of at least 0, else None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def written(value):
    """The number as text, in six digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def cell(row, column):
    """The text in the table. Text that is not a number is shown unchanged."""
    text = row.get(column.name, "")
    value = number(text)
    if column.kind not in ("ratio", "rate", "share") or (value is None and text):
        return text
    if value is None:
        return "-"
    if column.kind == "rate":
        return f"{value / 1e9:.3f}"
    if column.kind == "share":
        return f"{100 * value:.0f} %"
    return (
        "~" if column.name == "measured" and row.get("estimated") == "yes" else ""
    ) + f"{value:.2f}"


def value_of(text, kind):
    """A table cell converted to the form of notebook.csv. Text that is not a number stays unchanged."""
    if kind not in ("ratio", "rate", "share"):
        return text
    if text == "-":
        return ""
    value = number(text.lstrip("~").rstrip("% "))
    if value is None:
        return text
    return written({"rate": 1e9, "share": 0.01}.get(kind, 1) * value)


def row_of(cells):
    """{name: text} from {title: cell}; the student's own columns keep their titles."""
    ours = {column.title: column for column in SHOWN}
    row = dict.fromkeys(NAMES, "")
    for title, text in cells.items():
        column = ours.get(title)
        row[column.name if column else title] = value_of(text, column.kind if column else "text")
    row["estimated"] = "yes" if cells.get("measured", "").startswith("~") else ""
    return row


def typed(row):
    """The row with numbers (or None) instead of text."""
    kinds = {column.name: column.kind for column in COLUMNS}
    values = {
        name: text if kinds.get(name, "text") == "text" else number(text)
        for name, text in row.items()
    }
    return {
        name: int(value) if kinds.get(name) == "count" and value is not None else value
        for name, value in values.items()
    }
