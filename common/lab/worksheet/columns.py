"""What a questions file may contain: the columns of each kind of question, and their types."""

KINDS = {  # kind: (required columns, optional columns) besides number and kind
    "text": (("text", "answer"), ()),
    "exact": (("text", "answer", "truth", "tolerance"), ("unit", "points", "waits_for")),
    "follows": (("text", "answer", "truth", "tolerance", "waits_for"), ("unit", "points")),
    "choice": (("text", "answer"), ("seal", "truth", "waits_for", "points")),
    "recorded": (("text", "answer"), ("truth", "tolerance", "usually", "within", "notebook", "unit", "points")),
    "count": (("tolerance",), ("text", "answer", "truth", "classes", "sum", "unit", "points", "most_told")),
    "notebook": (("wanted",), ("text", "points")),
}

COLUMNS = {"number": str, "kind": str, "text": str, "answer": str, "truth": str, "tolerance": (str, float), "unit": str,
           "points": float, "waits_for": str, "seal": str, "usually": float, "within": float, "notebook": str,
           "wanted": int, "classes": list, "sum": str, "most_told": str}
OF_CLASS = {"text": str, "answer": str, "truth": str}
OF_FILE = {"what": str, "version": int, "part": str, "tolerances": dict, "formulas": dict, "paper_machine": dict, "names": list,
           "hidden_counts": dict, "questions": list}

WORDS = {str: "a text", float: "a number", int: "a whole number", list: "a list", dict: "an object"}


def is_of(value, types):
    types = types if isinstance(types, tuple) else (types,)
    if isinstance(value, bool):
        return False
    return isinstance(value, types) or (float in types and isinstance(value, int))


def complaint(row, columns, needed):
    """What is wrong with a row of JSON, or "". `columns`: {name: type, or several}."""
    if not isinstance(row, dict):
        return "it is not an object: { ... }"
    for name in needed:
        if name not in row:
            return f"it has no {name}"
    for name, value in row.items():
        if name not in columns:
            return f"it cannot have '{name}'; it may have {', '.join(columns)}"
        if not is_of(value, columns[name]):
            types = columns[name] if isinstance(columns[name], tuple) else (columns[name],)
            return f"its {name} is not {' or '.join(WORDS[one] for one in types)}"
    return ""
