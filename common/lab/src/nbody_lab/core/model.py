"""Files with a shape are frozen pydantic models; one function reads them all, and says in one line what is wrong."""

from pathlib import Path
from typing import Any, Literal, TypeVar

import pydantic

from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import LabError

Precision = Literal["float", "double"]

# What pydantic says, in the words of the lab's own messages.
_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "int_parsing": "needs a whole number, not '{input}'",
    "float_parsing": "needs a number, not '{input}'",
    "greater_than_equal": "needs at least {ge}, not {input}",
    "greater_than": "needs more than {gt}, not {input}",
    "less_than_equal": "needs at most {le}, not {input}",
}


class LabModel(pydantic.BaseModel):
    """A value that cannot be changed, and that refuses fields which it does not know."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


Model = TypeVar("Model", bound=pydantic.BaseModel)


def place_of(location: tuple[int | str, ...]) -> str:
    """("rows", 0, "name") -> "rows[0].name"."""
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def fault_in(error: pydantic.ValidationError) -> str:
    """The first fault in one line: where, and what is wrong."""
    first = error.errors()[0]
    if first["type"] in _WORDS:
        limits = {name: f"{limit:.12g}" for name, limit in first.get("ctx", {}).items()}
        given = printable(first["input"])[:60]
        what = _WORDS[first["type"]].format(input=given, **limits)
    else:
        what = first["msg"].removeprefix("Value error, ").replace("Input should be", "should be")
    return f"{place_of(first['loc'])} {what}".strip()


def parse(model: type[Model], data: Any, where: str | Path) -> Model:
    """The data as a model. Raises LabError: where, the place in it, and what is wrong."""
    try:
        return model.model_validate(data)
    except pydantic.ValidationError as error:
        raise LabError(f"{where}: {fault_in(error)}") from error


def load(model: type[Model], file: Path) -> Model:
    """A JSON file as a model. Raises LabError: the file, the place in it, and what is wrong."""
    try:
        return model.model_validate_json(file.read_bytes())
    except (OSError, pydantic.ValidationError) as error:
        what = error.strerror if isinstance(error, OSError) else fault_in(error)
        raise LabError(f"{file}: {what}") from error


def load_if_whole(model: type[Model], file: Path) -> Model | None:
    """The same; None if there is no such file, or it is damaged."""
    try:
        return load(model, file)
    except LabError:
        return None
