"""Ceilings as readable tables: a row per quantity measured, a column per precision and number of threads."""

KINDS = (("flops", "Adding and multiplying", "flop/s"), ("unit", "Roots and divisions", "results/s"), ("bandwidth", "Memory", "byte/s"))
SCALES = ((1e12, "10^12"), (1e9, "10^9"), (1e6, "10^6"))
OPERATIONS = {"mul_add": "multiply, add", "fma": "FMA", "div": "division", "sqrt": "square root", "rsqrt": "estimate of 1/sqrt"}
SETS = {"sse2": "SSE2", "avx2": "AVX2", "avx512f": "AVX-512", "neon": "NEON"}


def machine_tables(ceilings):
    """[(where, [table])], the processor first; empty without ceilings."""
    rows = (ceilings or {}).get("ceilings", [])
    found = []
    for where in dict.fromkeys(row["where"] for row in rows):
        own = [row for row in rows if row["where"] == where]
        found.append((title_of(where, own), [table for table in (table_of(kind, own) for kind in KINDS) if table]))
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
    scale, words = scale_of(own) if name != "bandwidth" else SCALES[1]  # memories differ by a factor of over a thousand
    columns = sorted({column_of(row) for row in own}, key=lambda column: (column[0] == "double", column))
    label_of = labels_of(own)
    labels = dict.fromkeys(map(label_of, own))
    cells = {(label_of(row), column_of(row)): row for row in own}
    return {"title": title, "unit": f"{words} {unit}".strip(), "scale": scale, "columns": [words_of(column) for column in columns],
            "rows": [(label, [cells.get((label, column)) for column in columns]) for label in labels]}


def scale_of(rows):
    most = max(row["best"] for row in rows)
    return next(((scale, words) for scale, words in SCALES if most >= scale), (1.0, ""))


def column_of(row):
    """The column of a row: its precision, or for bandwidth its operation, and its threads."""
    return (row["operation"] if row["kind"] == "bandwidth" else row["precision"]), int(row["threads"])


def words_of(column):
    what, threads = column
    many = "" if threads == 0 else "1 thread" if threads == 1 else f"{threads} threads"
    return what, many


def labels_of(rows):
    """A function that returns the label of a row: its name, with the operation if the name has several."""
    operations = {row["name"]: {other["operation"] for other in rows if other["name"] == row["name"]} for row in rows}

    def label_of(row):
        if row["kind"] == "bandwidth":
            sets = SETS.get(row["instruction_set"], row["instruction_set"])
            return f"{row['level']}, {sets}" if row["level"] == "L1" and sets else row["level"]
        operation = OPERATIONS.get(row["operation"], row["operation"])
        return f"{row['name']}: {operation}" if len(operations[row["name"]]) > 1 else row["name"]
    return label_of


def doubtful(table):
    """Sentences on rows that are not ceilings."""
    found = dict.fromkeys(row["why_not"] for _, cells in table["rows"] for row in cells if row and not row["is_ceiling"] and row["why_not"])
    return list(found)
