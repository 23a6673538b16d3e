"""Renders data and pictures as one HTML file."""

import re
from pathlib import Path

from markupsafe import Markup, escape

from nbody_lab.core.whole_file import write_bytes
from nbody_lab.notebook.columns import NAMES
from nbody_lab.page.collect import collect
from nbody_lab.page.drawn import orbits_picture, pictures_of
from nbody_lab.page.environment import embedded, environment, located, look, machine_line
from nbody_lab.page.missing import ORBIT
from nbody_lab.page.rooflines import about_limiters, limiter_of, switches_of, views_of

# Ceilings as readable tables: a row per quantity measured, a column per precision and number of threads.
KINDS = (
    ("flops", "Adding and multiplying", "flop/s"),
    ("unit", "Roots and divisions", "results/s"),
    ("bandwidth", "Memory", "byte/s"),
)
SCALES = ((1e12, "10^12"), (1e9, "10^9"), (1e6, "10^6"))
OPERATIONS = {
    "mul_add": "multiply, add",
    "fma": "FMA",
    "div": "division",
    "sqrt": "square root",
    "rsqrt": "estimate of 1/sqrt",
}
SETS = {"sse2": "SSE2", "avx2": "AVX2", "avx512f": "AVX-512", "neon": "NEON"}


def machine_tables(ceilings):
    """[(where, [table])], the processor first; empty without ceilings."""
    rows = (ceilings or {}).get("ceilings", [])
    found = []
    for where in dict.fromkeys(row["where"] for row in rows):
        own = [row for row in rows if row["where"] == where]
        found.append(
            (
                title_of(where, own),
                [table for table in (table_of(kind, own) for kind in KINDS) if table],
            )
        )
    return found


def title_of(where, rows):
    device = next((row["device"] for row in rows if row.get("device")), "")
    return "Processor" if where == "cpu" else f"{device or 'GPU'} ({where})"


def table_of(kind, rows):
    """{title, unit, scale, columns, rows: [(label, [row or None])]}, or None."""
    name, title, unit = kind
    own = [row for row in rows if row["kind"] == name]
    if not own:
        return None
    scale, words = (
        scale_of(own) if name != "bandwidth" else SCALES[1]
    )  # memories differ by a factor of over a thousand
    columns = sorted(
        {column_of(row) for row in own}, key=lambda column: (column[0] == "double", column)
    )
    label_of = labels_of(own)
    labels = dict.fromkeys(map(label_of, own))
    cells = {(label_of(row), column_of(row)): row for row in own}
    return {
        "title": title,
        "unit": f"{words} {unit}".strip(),
        "scale": scale,
        "columns": [words_of(column) for column in columns],
        "rows": [(label, [cells.get((label, column)) for column in columns]) for label in labels],
    }


def scale_of(rows):
    most = max(row["best"] for row in rows)
    return next(((scale, words) for scale, words in SCALES if most >= scale), (1.0, ""))


def column_of(row):
    """The column of a row: its precision, or for bandwidth its operation, and its threads."""
    return (row["operation"] if row["kind"] == "bandwidth" else row["precision"]), int(
        row["threads"]
    )


def words_of(column):
    what, threads = column
    many = "" if threads == 0 else "1 thread" if threads == 1 else f"{threads} threads"
    return what, many


def labels_of(rows):
    """A function that returns the label of a row: its name, with the operation if the name has several."""
    operations = {
        row["name"]: {other["operation"] for other in rows if other["name"] == row["name"]}
        for row in rows
    }

    def label_of(row):
        if row["kind"] == "bandwidth":
            sets = SETS.get(row["instruction_set"], row["instruction_set"])
            wide = ", 8 bytes each" if row["precision"] == "double" else ""
            of_l1 = row["level"] == "L1" and sets
            return f"{row['level']}, {sets}{wide}" if of_l1 else row["level"]
        operation = OPERATIONS.get(row["operation"], row["operation"])
        return f"{row['name']}: {operation}" if len(operations[row["name"]]) > 1 else row["name"]

    return label_of


def doubtful(table):
    """Sentences on rows that are not ceilings."""
    found = dict.fromkeys(
        row["why_not"]
        for _, cells in table["rows"]
        for row in cells
        if row and not row["is_ceiling"] and row["why_not"]
    )
    return list(found)


HERE = Path(__file__).resolve().parent
CEILING_COLUMNS = [
    "where",
    "kind",
    "name",
    "instruction_set",
    "lanes",
    "operation",
    "level",
    "precision",
    "threads",
    "array_bytes",
    "unit",
    "best",
    "median",
    "spread",
    "is_ceiling",
    "why_not",
]
POINT_COLUMNS = [
    "number",
    "name",
    "kind",
    "precision",
    "threads",
    "instruction_set",
    "interactions_per_s",
    "flops_per_interaction",
    "bytes_per_interaction",
    "compulsory_bytes_per_interaction",
    "flops_per_s",
    "intensity",
    "compulsory_intensity",
    "roof_flops_per_s",
    "share_of_roof",
    "bound_by",
    "above_roof",
    "limiter",
    "share_of_limit",
]
SECTIONS = (  # id and template; heading; whether the part has it
    (
        "implementations",
        "Implementations",
        lambda part: part["verdicts"] or part["bench"] or part["notebook"] or part["rooflines"],
    ),
    ("roofline", "Roofline", lambda part: part["rooflines"]),
    (
        "ladder",
        "Ladder and scaling",
        lambda part: part["pictures"].keys() & {"ladder", "sizes", "threads"},
    ),
    ("bound", "Bound of the loop", lambda part: part["bounds"]),
    ("profile", "Where the time goes", lambda part: part["profiles"]),
    ("notebook", "Notebook", lambda part: part["notebook"]),
    ("worksheet", "Worksheet", lambda part: part["worksheet"]),
)


def powers(text):
    """10^9 with a superscript 9."""
    before, power, after = text.partition("10^")
    digits = after.split(" ")[0] if power else ""
    return (
        Markup("{}10<sup>{}</sup>{}").format(before, digits, after[len(digits) :])
        if power
        else escape(text)
    )


def typed(text):
    """Text of a source or document, with `code` in a code font."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text or ""))))


def html_of(data, pictures, orbits=(None, "")):
    """`pictures`: {part: {name: SVG}}; `orbits`: (SVG, the run)."""
    templates = environment()
    templates.globals.update(
        powers=powers,
        typed=typed,
        machine_tables=machine_tables,
        doubtful=doubtful,
        ceiling_columns=CEILING_COLUMNS,
        point_columns=POINT_COLUMNS,
        notebook_columns=NAMES,
        orbit_command=ORBIT,
        short_limiter=limiter_of,
        about_limiters=about_limiters,
    )
    page = located(data)
    for part in page["parts"]:
        part["pictures"] = pictures.get(part["name"], {})
        part["views"], part["switches"] = (
            views_of(part["name"], part["rooflines"]),
            switches_of(part["rooflines"]),
        )
        part["sections"] = [(name, words) for name, words, there in SECTIONS if there(part)]
    return templates.get_template("report.html.j2").render(
        page=page,
        data=embedded(data),
        machine_line=machine_line(data["machine"]),
        orbits=orbits[0],
        orbits_of=orbits[1],
        style=look(),
        script=Markup(HERE.joinpath("report.js").read_text(encoding="utf-8")),
    )


# Reads the sources, draws the pictures and writes the page.


def write_page(root, file, parts):
    data, made_from = collect(root, parts)
    pictures = {part["name"]: pictures_of(part, *made_from[part["name"]]) for part in data["parts"]}
    text = html_of(data, pictures, orbits_picture(root))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(file, text.encode("utf-8"))
