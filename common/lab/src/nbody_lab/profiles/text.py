"""Parses the output of nm, gprof and perf, and writes the text of ./lab profile."""

import re
from collections import namedtuple

MOST_ROWS, LEAST_SHARE = 12, 0.95

# A local function with a dot in its name: a part that the compiler split off another function.
LOCAL_SYMBOL = re.compile(r"^[0-9a-f]+ t (?P<name>\S*\.\S*)", re.M)
# percent, cumulative seconds, own seconds, calls, two times per call, function. The columns about calls are empty for
# code compiled without -pg, and for the body of an OpenMP loop.
FLAT_ROW = re.compile(
    r"^ *[0-9.]+ +[0-9.]+ +(?P<own>[0-9.]+) (?: *(?P<calls>[0-9]+) +[0-9.]+ +\S+ )? *(?P<function>.*)$",
    re.M,
)
COPY_OF_FUNCTION = re.compile(r" \[clone [^]]*\]")
# Names are shortened: std::vector<X, std::allocator<X> > becomes std::vector<X>, and a function template's return
# type is dropped. __powf_fma is the C library's powf for this processor; _init is the stub that calls such functions.
STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
ALLOCATOR = re.compile(r", std::allocator<[^<>]*(?:<[^<>]*>[^<>]*)?> >")
PROMOTED = re.compile(r"__gnu_cxx::__promote_[0-9]*<[^>]*>::__type ")
OF_C_LIBRARY = re.compile(r"^__(?P<name>[a-z0-9]*)_(?:fma4?|avx2|sse2|sse4_1)$")

# perf annotate: a title per function, hottest first; its name; source lines; instructions with their share.
ANNOTATE_TITLE = "Source code & Disassembly"
ANNOTATE_FUNCTION = re.compile(r"^ *: *[0-9]+ +[0-9a-f]+ <(?P<name>.*)>:$")
ANNOTATE_SOURCE = re.compile(r"^ *: *[0-9]+ +(?P<text>.*)$")
ANNOTATE_INSTRUCTION = re.compile(r"^ *(?P<share>[0-9.]+) +: +[0-9a-f]+: *(?P<text>.*)$")

Row = namedtuple("Row", "seconds calls function")


def local_symbols(said_by_nm):
    """The functions that gprof would merge into their neighbours."""
    return LOCAL_SYMBOL.findall(said_by_nm)


def shorter_name(name):
    """The function's name as a student would write it."""
    name = ALLOCATOR.sub(">", name.replace(STRING, "std::string"))
    name = PROMOTED.sub("", name, count=1).replace("(anonymous namespace)::", "")
    if name == "_init":
        return "calling functions of the C library"
    return OF_C_LIBRARY.sub(r"\g<name>, of the C library", name)


def rows_of(flat_profile):
    """The rows of a flat profile, merged by function, longest time first."""
    own, calls = {}, {}
    for match in FLAT_ROW.finditer(flat_profile):
        name = COPY_OF_FUNCTION.sub("", match["function"])
        own[name] = own.get(name, 0) + float(match["own"])
        calls[name] = max(calls.get(name, 0), int(match["calls"] or 0))
    rows = sorted(
        (Row(round(own[name], 2), calls[name], name) for name in own),
        key=lambda row: (-row.seconds, -row.calls, row.function),
    )
    return [row._replace(function=shorter_name(row.function)) for row in rows]


def table(rows, iterations):
    """The lines of the table; rows below one percent are left out, but never the first."""
    total = sum(row.seconds for row in rows)
    lines = [f"  {'share':>6}  {'seconds':>8}  {'calls/iter.':>14}  function"]
    for number, row in enumerate(rows[:MOST_ROWS]):
        share = 100 * row.seconds / total
        if number > 0 and share < LEAST_SHARE:
            break
        calls = f"{row.calls / iterations:.0f}" if row.calls > 0 else "-"
        lines.append(f"  {share:4.0f} %  {row.seconds:8.2f}  {calls:>14}  {row.function}")
    return [*lines, f"  {'all':>6}  {total:8.2f}"]


def meaning(rows, again, debug):
    """What the table teaches; `again` is the command that shows more."""
    if debug:
        return [
            "",
            "Without optimisation each operator[] of a vector and each std::pow is a call, as costly as the",
            f"physics around it. The optimiser removes them: compare with {again}",
        ]
    share = rows[0].seconds / sum(row.seconds for row in rows)
    ceiling = (
        f"1 / (1 - {share:.2f}) = {1 / (1 - share):.1f} times as fast:"
        if share < 0.99
        else "a hundred times as fast or more:"
    )
    return [
        "",
        f"If {rows[0].function}",
        f"took no time at all, the program would be {ceiling}",
        "work on it alone cannot gain more.",
        "gprof knows functions, not lines; inlined code counts for its caller.",
        f"Lines: {again} --annotate",
    ]


def has_annotation(said_by_perf):
    """Whether perf annotated any function."""
    return ANNOTATE_TITLE in said_by_perf


def hottest_lines(annotated):
    """The hottest function line by line, without lines that took no time."""
    lines, source, shown = [], "", ""
    for line in annotated.split(ANNOTATE_TITLE)[1].split("\n"):
        instruction, function = ANNOTATE_INSTRUCTION.match(line), ANNOTATE_FUNCTION.match(line)
        place = ANNOTATE_SOURCE.match(line)
        if instruction and float(instruction["share"]) >= 1:
            if source != shown:
                lines.append(" " * 10 + source)
                shown = source
            lines.append(f"  {float(instruction['share']):4.0f} %      {instruction['text']}")
        elif function:
            lines += [function["name"], ""]
            source = ""
        elif place and place["text"]:
            source = place["text"]
    return [
        *lines,
        "",
        "The hottest function by source line and instruction; below 1 % is left out. A sample falls on",
        "the instruction that waits; the slow one (a division, a root) is often just before it.",
    ]
