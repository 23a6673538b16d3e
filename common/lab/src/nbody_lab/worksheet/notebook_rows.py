"""Numbers from right rows of the student's notebook, to compare with recorded answers.

A row is a dict of notebook.right_rows(), with None for what is unknown. A number comes with its place.
"""

import math

CLOSE_ENOUGH = 0.15  # as for the verdict "as expected"


def known(row, column):
    """The number in a column; 0 if there is none."""
    return row.get(column) or 0


def measured_ideas(rows):
    """The number of ideas predicted and measured."""
    return sum(known(row, "expected") > 0 and known(row, "measured") > 0 for row in rows)


def column(rows, name, unit=1):
    return [(known(row, name) / unit, f"row {row['row']}") for row in rows if known(row, name) > 0]


def wanted(row, name, n, threads):
    """Whether a row matches; "" and 0 match any."""
    return (
        name in ("", row["name"])
        and n in (0, known(row, "n"))
        and threads in (0, known(row, "threads"))
    )


def speeds(rows, name="", n=0, threads=0):
    """The speeds of matching rows in 10^9 interactions/s."""
    return column([row for row in rows if wanted(row, name, n, threads)], "interactions_per_s", 1e9)


def speed_ups(rows, n=0, threads=0):
    """Speed-ups over one thread, from pairs of rows with the same name and n. `threads`: 0 for any number above one."""
    found = []
    for many in rows:
        right_number = (
            known(many, "threads") == threads if threads > 0 else known(many, "threads") > 1
        )
        if not right_number or not known(many, "n") or n not in (0, many["n"]):
            continue
        for one in rows:
            if known(one, "threads") != 1 or (one["name"], one["n"]) != (many["name"], many["n"]):
                continue
            if known(one, "interactions_per_s") > 0 and known(many, "interactions_per_s") > 0:
                found.append(
                    (
                        many["interactions_per_s"] / one["interactions_per_s"],
                        f"rows {one['row']}, {many['row']}",
                    )
                )
    return found


def functions_of(rows):
    """The functions that the column `notebook` of a question may call."""
    return {
        "expected_gains": lambda: column(rows, "expected"),
        "measured_gains": lambda: column(rows, "measured"),
        "speeds": lambda **which: speeds(rows, **which),
        "speed_ups": lambda **which: speed_ups(rows, **which),
    }


def three_digits(number):
    """0.285, 4.2, 1950: without an exponent."""
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"


def disagreement(answer, numbers):
    """The nearest number and its place, "4.2 in the notebook (row 5)"; empty if it is within 15 % of the answer, the
    tolerance for predictions, or if there are no numbers."""
    if not numbers or not answer > 0:
        return ""
    if math.isinf(answer):
        nearest, where = numbers[0]
    else:
        nearest, where = min(numbers, key=lambda one: abs(math.log(one[0] / answer)))
    if abs(answer - nearest) <= CLOSE_ENOUGH * nearest:
        return ""
    return f"{three_digits(nearest)} in the notebook ({where})"
