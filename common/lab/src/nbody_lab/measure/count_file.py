"""The counts of a program with counting numbers: what it prints, a line for each number of bodies
(common/work/count_main.cpp), and the file made of it, NAME_count.json (docs/fields.md)."""

import json
import math
import signal
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from pydantic import BaseModel, Field

from nbody_lab.core.errors import LabError
from nbody_lab.core.run import capture, last_line

FORCES = "compute_accelerations"
ITERATIONS = {
    "fixed_step": (FORCES, "update_bodies"),
    "adaptive_step": (FORCES, "largest_time_step", "update_bodies"),
}
# Multiples of 256, so that remainders of tiles and unrolled loops, which are no polynomial, do not occur.
SIZES = (256, 512, 768, 1024)
USUAL_SIZE = 1000
_MOST_COUNTED = 4200  # bodies; that takes a second or two, and above it the polynomials have to do
_LARGEST_ERROR = 1e-5  # the checker's for float; what counts correctly has the error of double
_CPU_S = 60  # naive takes one or two
_FLOPS = {"add": 1, "mul": 1, "div": 1, "sqrt": 1, "rsqrt": 1, "fma": 2, "pow": 1}
_CLASSES = (*_FLOPS, "loads", "stores", "shared_loads", "shared_stores")


class Polynomial(BaseModel):
    """(n2 n^2 + n n + 1) / over, for n bodies."""

    n2: float
    n: float
    constant: float = Field(alias="1")
    over: float

    @classmethod
    def through(cls, counted: Mapping[int, int]) -> "Polynomial | None":
        """Through the first three of SIZES; None if the fourth is not on it: the work depends on where the bodies are."""
        h = SIZES[0]
        first, second, third, fourth = (counted[size] for size in SIZES)
        n2 = Fraction(third - 2 * second + first, 2 * h * h)
        n = Fraction(second - first, h) - 3 * h * n2
        one = first - (n2 * h + n) * h
        if (n2 * SIZES[3] + n) * SIZES[3] + one != fourth:
            return None
        over = math.lcm(n2.denominator, n.denominator, one.denominator)
        terms = zip(("n2", "n", "1"), (n2, n, one))
        return cls.model_validate({"over": over} | {key: int(term * over) for key, term in terms})

    def at(self, n: float) -> float:
        return ((self.n2 * n + self.n) * n + self.constant) / self.over

    def __str__(self) -> str:
        """14 n^2 - 3/2 n"""
        words = []
        for value, unit in ((self.n2, " n^2"), (self.n, " n"), (self.constant, "")):
            factor = Fraction(value) / Fraction(self.over)
            if factor:
                words.append(f"{factor}{unit}" if abs(factor) != 1 or not unit else unit.strip())
                words[-1] = f"-{words[-1]}" if factor == -1 and unit else words[-1]
        return " + ".join(words).replace("+ -", "- ") or "0"


class CountedClass(BaseModel):
    """A class of operations in one call of a function."""

    polynomial: Polynomial | None = Field(
        default=None, description="null: the work depends on the positions of the bodies"
    )
    counted: dict[int, float] = Field(
        default={}, description="operations by number of bodies: 256, 512, 768, 1024, `n`"
    )

    def per_interaction(self, n: int | None = None) -> float:
        """Of n bodies, by the polynomial if there is one, else by the nearest counted size. None: of very many."""
        if self.polynomial:
            return self.polynomial.at(n) / n**2 if n else self.polynomial.n2 / self.polynomial.over
        if not self.counted:
            return 0.0
        size = min(self.counted, key=lambda counted: abs(counted - n) if n else -counted)
        return self.counted[size] / size**2

    def at(self, n: int) -> float | None:
        """Counted with n bodies, else by the polynomial."""
        if n in self.counted:
            return self.counted[n]
        return self.polynomial.at(n) if self.polynomial else None

    def __str__(self) -> str:
        return str(self.polynomial or f"about {self.per_interaction():.2f} n^2")


class CountFile(BaseModel):
    """Raises ValidationError, a ValueError, for a text that is no count."""

    part: str = ""
    name: str = ""
    n: int = Field(default=0, description="bodies of the second table")
    error: float = Field(default=0, description="the worst of the counted accelerations")
    work: dict[str, dict[str, CountedClass]] = Field(
        description="by function, then by class of operations"
    )


class _Program(BaseModel):
    """The first line: what was counted."""

    part: str
    name: str


class _Line(BaseModel):
    n: int
    error: float | None  # null: not a number
    work: dict[str, dict[str, int]]


def _refuse(whose: str, line: _Line) -> None:
    """Raises LabError where these are not the code's counts."""
    if line.error is None or line.error > _LARGEST_ERROR:
        bypass = "If ./lab check passes, numbers bypass the counting: memcpy, memset, a union or reinterpret_cast"
        raise LabError(
            f"{whose} cannot be counted: with {line.n} bodies its accelerations are wrong. {bypass}"
        )
    for function, counts in line.work.items():
        if escaped := counts["escapes"]:
            how = f"{function}() turns {escaped} numbers into double by as_double(); keep them real"
            raise LabError(f"{whose} cannot be counted: {how}")


def _sum(lines: Sequence[_Line], calls: Sequence[str]) -> dict[str, CountedClass]:
    """The work of these calls together, by class."""
    counted: dict[str, dict[int, int]] = {}
    for line in lines:
        total = {kind: sum(line.work[call][kind] for call in calls) for kind in _CLASSES}
        total["flops"] = sum(weight * total[kind] for kind, weight in _FLOPS.items())
        total["memops"] = total["loads"] + total["stores"]
        for kind, value in total.items():
            counted.setdefault(kind, {})[line.n] = value
    return {
        kind: CountedClass(polynomial=Polynomial.through(values), counted=dict(values))
        for kind, values in counted.items()
    }


def make_plan(n: int) -> str:
    """What the program reads."""
    return json.dumps({"bodies": [*SIZES, *([n] if n <= _MOST_COUNTED else [])]})


def counts_in(printed: str, n: int) -> CountFile:
    """Of what the program printed. Raises ValueError or LookupError for what is no count, LabError for code that bypasses the
    counting."""
    first, *rest = printed.splitlines() or [""]
    program = _Program.model_validate_json(first)
    lines = [_Line.model_validate_json(line) for line in rest]
    for line in lines:
        _refuse(f"{program.part}/{program.name}", line)
    there = {function: (function,) for function in lines[0].work}
    return CountFile(
        part=program.part,
        name=program.name,
        n=n,
        error=max(line.error or 0 for line in lines),
        work={name: _sum(lines, calls) for name, calls in (there | ITERATIONS).items()},
    )


def count(program: Path, n: int = USUAL_SIZE) -> CountFile:
    """Runs a count program. Raises LabError if the code cannot be counted."""
    # A static variable of the header may be what never ends.
    words = ["prlimit", f"--cpu={_CPU_S}:{_CPU_S + 5}", program]
    done = capture(*words, input=make_plan(n))
    try:
        return counts_in(done.stdout, n)
    except (ValueError, LookupError):
        late = done.returncode == -signal.SIGXCPU
        why = "counting did not end in time: an endless loop?" if late else ""
        why = why or last_line(done.stderr, done.returncode)
        raise LabError(f"{program.name}: {why}") from None
