"""Is each known slip named by its sentence, and nothing else mistaken for one?"""

import pytest

from nbody_lab.tasks.program import SIZES, Numbers
from nbody_lab.tasks.slips import SLIPS, Slip, find_cut_divisions, find_slip

_TOLERANCE = 0.005
_ALL = [(unit, slip, sentence) for unit, slips in SLIPS.items() for slip, sentence in slips]
_OF_ONE_CALL = ("operations", "fma", "numbers", "bytes")


def _truth(unit: str) -> Numbers:
    n, m = SIZES
    return (10.5 * n * (n - 1), 10.5 * m * (m - 1)) if unit in _OF_ONE_CALL else (3.85, 3.85)


def _times(factor: float, truth: Numbers) -> Numbers:
    return factor * truth[0], factor * truth[1]


@pytest.mark.parametrize(("unit", "slip", "sentence"), _ALL)
def test_named(unit: str, slip: Slip, sentence: str) -> None:
    """A slip is named by its sentence, at both sizes only, and by nobody else's."""
    truth = _truth(unit)
    answer = slip(truth[0], SIZES[0]), slip(truth[1], SIZES[1])
    assert find_slip(unit, answer, truth, _TOLERANCE) == sentence
    assert find_slip("none", answer, truth, _TOLERANCE) == ""
    assert find_slip(unit, (7, 7), (0, 0), _TOLERANCE) == ""
    if unit in _OF_ONE_CALL and answer[1] > 2 * answer[0]:
        assert find_slip(unit, (answer[0], answer[0]), truth, _TOLERANCE) == ""
    for factor in (1.0, 1.004, 0.0, 0.6, 0.9, 1.1, 1.37, 3.0, 5.0, 10.0, 50.0):
        assert find_slip(unit, _times(factor, truth), truth, _TOLERANCE) == "", factor


@pytest.mark.parametrize(
    ("typed", "division", "value"),
    [
        ("16/21", "16 / 21", 0),
        ("1 / (1 - 79 / 100)", "79 / 100", 0),
        ("7 / 2 * n * n", "7 / 2", 3),
    ],
)
def test_cut_divisions(typed: str, division: str, value: int) -> None:
    """A division of whole numbers that loses its remainder is named, with what to write."""
    instead = division.replace(" /", ".0 /")
    sentence = f"C++ divides whole numbers: {division} is {value}; write {instead}"
    assert find_cut_divisions(f"double it = {typed};  // 9 / 2\n/* it = 7 / 2; */") == {
        "it": sentence
    }
    truth = (0.762, 0.762)
    assert find_slip("ratio", (0, 0), truth, 0.02, sentence) == sentence
    assert find_slip("ratio", truth, truth, 0.02, sentence) == ""
    assert find_slip("ratio", (76.2, 76.2), truth, 0.02, sentence).startswith("percent?")


@pytest.mark.parametrize("typed", ["16 / (21 / 4.0)", "n / 2", "8 / 4", "7 / 2.f", "2.0 * 16 / 21"])
def test_no_cut_division(typed: str) -> None:
    """What C++ computes exactly, or in floating point, is not named."""
    assert find_cut_divisions(f"double it = {typed};") == {}
