"""Do expressions in a questions file mean what they say, and can they do no harm?"""

from types import SimpleNamespace
from typing import Any

import pytest

from nbody_lab.worksheet.expression import (
    BadExpression,
    Missing,
    evaluate,
    is_missing,
    parse_expression,
)

_HASH = 2**63 + 1


class _Names(dict[str, Any]):
    """As a student's: `open` has no answer."""

    def __missing__(self, name: str) -> Any:
        raise Missing


NAMES = _Names(a=3.0, paper=SimpleNamespace(peak=6.6), mine="mine_fused", hash=_HASH)
COUNTS = {"naive add": 9.0, "mine_fused add": 6.0}
FUNCTIONS = {"counted": lambda kind, of="naive": COUNTS[f"{of} {kind}"]}
VALUES = {
    "1 + 2 * 3 - 4 / 8": 6.5,
    "7 // 2 + 7 % 4 + 2 ** 10": 1030,
    "-a + (+a)": 0,
    "paper.peak": 6.6,
    "min(1, a) + max(1, a) + abs(-2)": 6,
    "floor(2.9) + 10 * ceil(2.1)": 32,
    "round(2.5)": 3,
    "round(-2.5)": -3,
    "pick(1, 4, 5, 6)": 5,
    "1 if 2 < a < 3 else 0": 0,
    "'a' if a == 3 else 'b'": "a",
    "1 if a > 2 and not a > 5 else 0": 1,
    "1 if a < 2 or a > 5 else 0": 0,
    "1 if a > 2 else open": 1,  # only the chosen side is asked
    "counted('add') + counted('add', of=mine)": 15,
    "hash % 31": _HASH % 31,
}


def _value(text: str) -> Any:
    return evaluate(parse_expression(text), NAMES, FUNCTIONS)


@pytest.mark.parametrize(("text", "expected"), VALUES.items())
def test_values(text: str, expected: object) -> None:
    """An expression has the value that Python gives it, but for rounding."""
    assert _value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("open", "open + 1", "min(1, open)", "max(open, 1)", "round(open)", "-open", "open % 3"),
        *("1 if open > 0 else 2", "1 if a > 2 and open > 1 else 0", "1 if not open else 2"),
        *("open ** 0", "1 ** open", "1 if 2 < open < 4 else 0"),
        *("1 / 0", "a % 0", "9.0 ** 9 ** 9", "floor(1e400)", "(1 - 3) ** 0.5"),
        "1 / (0 - a) ** 0.5",
    ],
)
def test_missing(text: str) -> None:
    """What is computed from a missing answer, or cannot be computed, is missing."""
    assert is_missing(_value(text))


def test_names_and_functions() -> None:
    """An expression tells which names and functions it needs."""
    found = parse_expression("min(paper.peak, a) * counted('add', of=mine)")
    assert found.names == {"paper.peak", "a", "mine"}
    assert found.functions == {"min", "counted"}


@pytest.mark.parametrize(
    "text",
    [
        *("", "1 +", "a = 1", "__import__('os')()", "().__class__", "a.b.c", "[1, 2]", "a[0]"),
        *("lambda: 1", "{1}", "a @ a", "a << 3", "~a", "f'{a}'", "(x for x in a)", "f(*a)"),
        *("f(**a)", "a is a", "1 in a", "None", "True", "b'x'", "1j", "x := 1", "await a", "1; 2"),
        "(" * 500 + "1" + ")" * 500,
    ],
)
def test_refused(text: str) -> None:
    """All else is refused before anything is evaluated, on sides that are never chosen, too."""
    for expression in (text, f"1 if 1 else ({text})"):
        with pytest.raises(BadExpression):
            parse_expression(expression)


@pytest.mark.parametrize(
    "text", ["'a' + 1", "pick(9, 1, 2)", "'a' * 10 ** 9", "-" * 3000 + "1", "nothing(1)"]
)
def test_nonsense(text: str) -> None:
    """What has no value for a reason other than a missing answer is an error in one line."""
    with pytest.raises(BadExpression):
        _value(text)


@pytest.mark.parametrize("name", ["__class__", "__dict__", "_private"])
def test_private_attributes(name: str) -> None:
    """An attribute that Python made is out of reach."""
    with pytest.raises((BadExpression, AssertionError)):
        assert is_missing(_value(f"paper.{name}"))
