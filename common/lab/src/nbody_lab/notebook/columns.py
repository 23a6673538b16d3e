"""A row of notebook.csv, and which of its columns NOTEBOOK.md shows."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from nbody_lab.core.model import LabModel


def number(text: str | float | None) -> float | None:
    """A finite number of at least 0, else None: students edit the file."""
    try:
        value = float("nan" if text is None else text)
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _whole_number(text: Any) -> int | None:
    value = number(text)
    return None if value is None else int(value)


Number = Annotated[float | None, BeforeValidator(number)]
Count = Annotated[int | None, BeforeValidator(_whole_number)]


class Row(LabModel):
    """One ./lab try. Null, an empty cell: not known, or no result."""

    row: Count = Field(
        default=None, description="its number, with which the name of the kept copy begins"
    )
    date: str = Field(default="", description="YYYY-MM-DD, UTC")
    name: str = Field(default="", description="the implementation")
    idea: str = Field(default="", description="as it was typed, on one line")
    expected: Number = Field(
        default=None, description="the prediction: how many times as fast as `against`"
    )
    measured: Number = Field(
        default=None, description="the measured factor: median of the ratios of the rounds"
    )
    against: str = Field(default="", description="naive, or the number of a row")
    times_naive: Number = Field(default=None, description="as fast as naive, in the same minute")
    interactions_per_s: Number = Field(default=None, description="median speed")
    spread: Number = Field(
        default=None, description="width of the middle half of the rounds over the median"
    )
    n: Count = Field(default=None, description="bodies")
    threads: Count = Field(default=None, description="the most that it could use; empty on a GPU")
    verdict: str = Field(
        default="",
        description="`as expected` within 15 % and half of the predicted change, `less than expected`, `more than expected`, "
        "`no difference beyond the spread`, `too noisy to tell`, or `wrong: ` and why",
    )
    estimated: str = Field(
        default="",
        description="`yes`: `measured` is from both rows' `times_naive`, as the older program is gone",
    )
    lower: Number = Field(default=None, description="of the middle half of `measured`")
    upper: Number = Field(default=None, description="of the middle half of `measured`")
    step: str = Field(default="", description="fixed or adaptive")
    scene: str = Field(
        default="", description="what was simulated ([scenes](file_formats.md#scenes))"
    )
    precision: str = ""
    device: str = Field(default="", description="the GPU; empty on the processor")
    flags: str = Field(default="", description="of the compiler")
    source: str = Field(default="", description="the kept copy, from the part's folder")

    @property
    def is_wrong(self) -> bool:
        return self.verdict.startswith("wrong")

    @property
    def is_right(self) -> bool:
        """Measured and not wrong."""
        return not self.is_wrong and bool(self.times_naive)

    def cells(self) -> dict[str, str]:
        """As they are written in the file, numbers in six digits."""
        return {name: _cell(value) for name, value in self.model_dump().items()}


NAMES = list(Row.model_fields)


def _cell(value: str | float | None) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def row_from(cells: Mapping[str, str]) -> Row:
    """The row in a line of the file."""
    return Row.model_validate({name: cells[name] for name in NAMES if name in cells})


# The table in NOTEBOOK.md: column, title, how its numbers look (None: as in the file).


def _factor(value: float) -> str:
    return f"{value:.2f}"


_SHOWN: list[tuple[str, str, Callable[[float], str] | None]] = [
    ("row", "#", None),
    ("date", "date", None),
    ("name", "name", None),
    ("idea", "idea", None),
    ("expected", "expected", _factor),
    ("measured", "measured", _factor),
    ("against", "against", None),
    ("times_naive", "x naive", _factor),
    ("interactions_per_s", "10^9 interactions/s", lambda value: f"{value / 1e9:.3f}"),
    ("spread", "spread", lambda value: f"{100 * value:.0f} %"),
    ("n", "bodies", None),
    ("threads", "threads", None),
    ("verdict", "verdict", None),
]
TITLES = [title for _, title, _ in _SHOWN]


def shown_cells(cells: Mapping[str, str]) -> list[str]:
    """A row of the table. A number that is none is shown unchanged."""
    shown = []
    for name, _, in_words in _SHOWN:
        text = cells[name]
        value = number(text)
        if in_words and value is not None:
            mark = "~" if name == "measured" and cells["estimated"] == "yes" else ""
            text = mark + in_words(value)
        shown.append(text if text or not in_words else "-")
    return shown
