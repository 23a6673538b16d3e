"""Reads the output of nm and gprof, and writes the text of ./lab profile."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from nbody_lab.core.console import format_table

MOST_ROWS = 12
_LEAST_SHARE = 0.0095

# A local function with a dot in its name: a part that the compiler split off another function.
_LOCAL_SYMBOL = re.compile(r"^[0-9a-f]+ t (?P<name>\S*\.\S*)", re.M)
# percent, cumulative seconds, own seconds, calls, two times per call, function. The columns about calls are empty for
# code compiled without -pg, and for the body of an OpenMP loop.
_FLAT_ROW = re.compile(
    r"^ *[0-9.]+ +[0-9.]+ +(?P<own>[0-9.]+) (?: *(?P<calls>[0-9]+) +[0-9.]+ +\S+ )? *(?P<function>.*)$",
    re.M,
)
_COPY_OF_FUNCTION = re.compile(r" \[clone [^]]*\]")
# Names are shortened: std::vector<X, std::allocator<X> > becomes std::vector<X>, and a function template's return
# type is dropped. __powf_fma is the C library's powf for this processor; _init is the stub that calls such functions.
_STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
_ALLOCATOR = re.compile(r", std::allocator<[^<>]*(?:<[^<>]*>[^<>]*)?> >")
_PROMOTED = re.compile(r"__gnu_cxx::__promote_[0-9]*<[^>]*>::__type ")
_LONGEST_NAME = 68  # of a name that is shown with its parameters
_OF_C_LIBRARY = re.compile(r"^__(?P<name>[a-z0-9]*)_(?:fma4?|avx2|sse2|sse4_1)$")


class FunctionTime(NamedTuple):
    """A function's own time, with the number of its calls, if they were counted."""

    seconds: float
    calls: int
    function: str


def find_local_symbols(symbols: str) -> list[str]:
    """The functions in nm's output that gprof would merge into their neighbours."""
    return _LOCAL_SYMBOL.findall(symbols)


def shorten_name(name: str) -> str:
    """The function's name as a student would write it."""
    name = _ALLOCATOR.sub(">", name.replace(_STRING, "std::string"))
    name = _PROMOTED.sub("", name, count=1).replace("(anonymous namespace)::", "")
    if name == "_init":
        return "calling functions of the C library"
    name = _OF_C_LIBRARY.sub(r"\g<name>, of the C library", name.removeprefix("void "))
    return name if len(name) <= _LONGEST_NAME else _cut_parameters(name)


def _cut_parameters(name: str) -> str:
    """f<g(int)>(std::array<...>&) const -> f<g(int)>(...) const"""
    depth = 0
    for k, letter in enumerate(name):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "(" and depth == 0:
            return f"{name[:k]}(...){name[name.rindex(')') + 1 :]}"
    return name


def read_flat_profile(text: str) -> list[FunctionTime]:
    """The rows of a flat profile, merged by function, longest time first."""
    own: dict[str, float] = {}
    calls: dict[str, int] = {}
    for match in _FLAT_ROW.finditer(text):
        name = _COPY_OF_FUNCTION.sub("", match["function"])
        own[name] = own.get(name, 0) + float(match["own"])
        calls[name] = max(calls.get(name, 0), int(match["calls"] or 0))
    rows = [FunctionTime(round(own[name], 2), calls[name], name) for name in own]
    rows.sort(key=lambda row: (-row.seconds, -row.calls, row.function))
    return [row._replace(function=shorten_name(row.function)) for row in rows]


def sum_seconds(rows: Sequence[FunctionTime]) -> float:
    return sum(row.seconds for row in rows)


def format_functions(rows: Sequence[FunctionTime], iterations: int) -> str:
    """The table; rows below one percent are left out, but never the first."""
    total = sum_seconds(rows)
    shown = [row for row in rows[:MOST_ROWS] if row.seconds >= _LEAST_SHARE * total]
    cells = [
        (
            f"{100 * row.seconds / total:.0f} %",
            f"{row.seconds:.2f}",
            f"{row.calls / iterations:.0f}" if row.calls else "-",
            row.function,
        )
        for row in shown or rows[:1]
    ]
    columns = (">share", ">seconds", ">calls/iter.", "function")
    return format_table(columns, [*cells, ("all", f"{total:.2f}", "", "")], indent=2)


def explain_functions(rows: Sequence[FunctionTime], command: str, debug: bool) -> str:
    """What the table teaches; `command` shows more with other options."""
    if debug:
        return f"""
Without optimisation each operator[] of a vector and each std::pow is a call, as costly as the
physics around it. The optimiser removes them: compare with {command}"""
    share = round(rows[0].seconds / sum_seconds(rows), 2)  # as shown: the reader divides, too
    ceiling = (
        f"1 / (1 - {share:.2f}) = {1 / (1 - share):.1f} times as fast:"
        if share < 0.99
        else "a hundred times as fast or more:"
    )
    return f"""
If {rows[0].function}
took no time at all, the program would be {ceiling}
work on it alone cannot gain more.
gprof knows functions, not lines; inlined code counts for its caller.
For lines and instructions: docs/measuring.md"""
