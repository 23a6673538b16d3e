"""Points for the notebook: for ideas predicted and measured. A right prediction earns nothing extra."""

from grade.item import FOR_A_PERSON, count, graded, quoted, ungraded


def is_try(row, needs_prediction):
    predicted = row["expected"] is not None and row["expected"] > 0
    return bool(row["idea"].strip()) and row["measured"] is not None and (predicted or not needs_prediction)


def tries(rows, needs_prediction):
    """The number of tries; a copied row counts once."""
    return {(row["idea"].strip(), row["expected"], row["measured"]) for row in rows if is_try(row, needs_prediction)}


def notebook(part, rule):
    of_rubric = rule["notebook"]
    points, wanted, needs = of_rubric["points"], of_rubric["rows_for_all"], of_rubric["needs_prediction"]
    book = part["notebook"]
    if book and book["problem"]:
        return ungraded("notebook", points, FOR_A_PERSON, f"the notebook could not be read: {quoted(book['problem'])}")
    rows = book["rows"] if book else []
    if not rows:
        return graded("notebook", 0, points, "the notebook has no rows")
    found = len(tries(rows, needs))
    what = "idea, prediction and measurement" if needs else "idea and measurement"
    why = f"{found} of its {count(len(rows), 'row')} {'has' if found == 1 else 'have'} {what}; {count(wanted, 'row')} give all points"
    return graded("notebook", points * min(1, found / wanted), points, why)
