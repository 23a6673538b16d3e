"""Operations per interaction, from what a count program wrote."""

import pytest

from nbody_lab import ROOT
from nbody_lab.measure.count_file import FORCES, CountedClass, CountFile

POLYNOMIAL = {"n2": 3, "n": 5, "1": 7, "over": 2, "text": "(3 n^2 + 5 n + 7) / 2"}
COUNTED = {"512": 512 * 512, "1024": 2 * 1024 * 1024}


@pytest.mark.parametrize(
    ("content", "n", "expected"),
    [
        ({"polynomial": POLYNOMIAL, "counted": COUNTED}, 10, 3.57 / 2),
        ({"polynomial": POLYNOMIAL, "counted": COUNTED}, None, 1.5),
        ({"polynomial": None, "counted": COUNTED}, 1000, 2),
        ({"counted": COUNTED}, 100, 1),
        ({"counted": COUNTED}, None, 2),
        ({}, 100, 0),
    ],
)
def test_by_the_polynomial_else_by_the_nearest_size(
    content: dict[str, object], n: int | None, expected: float
) -> None:
    assert CountedClass.model_validate(content).per_interaction(n) == pytest.approx(expected)


def test_stored_counts() -> None:
    file = ROOT / "data/results/part3_counts/naive_count.json"
    work = CountFile.model_validate_json(file.read_bytes()).work[FORCES]
    assert work["flops"].per_interaction(131072) == pytest.approx(21, abs=1e-3)
