"""What a count program counted in one function: polynomials in the number of bodies, by class ("add", "loads", ...)."""

import json

from nbody_lab.notebook.file import InputError

FORCES = "compute_accelerations"
FOR_INTEGRATORS = (
    "kick",
    "drift",
    "accelerations_and_jerk",
)  # implementations and older files may lack them


def polynomial_of(entry):
    """(n2, n, 1, over) of a class; None if it is not a polynomial."""
    one = entry.get("polynomial")
    return tuple(one[part] for part in ("n2", "n", "1", "over")) if one else None


def value_at(polynomial, n):
    n2, n1, n0, over = polynomial
    return ((n2 * n + n1) * n + n0) / over


def polynomials_in(text, function):
    """{class: (n2, n, 1, over)}, only of classes that are polynomials; {} without such a function."""
    work = json.loads(text)["work"]
    if function in FOR_INTEGRATORS and function not in work:
        return {}
    found = {kind: polynomial_of(entry) for kind, entry in work[function].items()}
    return {kind: one for kind, one in found.items() if one}


class Counted:
    """The counts in a folder of files written by count programs, NAME_count.json."""

    def __init__(self, folder):
        self.folder, self.read = folder, {}

    def of(self, name, function=FORCES):
        """The polynomials; None if the code was not or cannot be counted. Raises InputError for a file that is not a
        count."""
        if (name, function) not in self.read:
            self.read[name, function] = self.from_file(self.folder / f"{name}_count.json", function)
        return self.read[name, function]

    @staticmethod
    def from_file(file, function):
        try:
            text = file.read_text(encoding="utf-8")
        except OSError:
            return None
        except ValueError:
            text = ""
        try:
            return polynomials_in(text, function)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{file}: not written by a count program; remove it") from None

    def at(self, n, name, kind, function=FORCES):
        """The count for n bodies; None if it was not counted or is not a polynomial."""
        polynomial = (self.of(name, function) or {}).get(kind)
        return None if polynomial is None else value_at(polynomial, n)
