"""What ./lab grade --dry-run prints: a line for each submission, and below it only what a person should look at."""

from collections.abc import Iterator, Sequence

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.grade.decisions import named_twice
from nbody_lab.grade.models import HandedIn
from nbody_lab.grade.overlay import REQUEST, Part, Taken

_WANTED = {"worksheet.hpp": "worksheet", "notebook.csv": "notebook"}  # beside the versions


def _describe_part(part: Part, taken: Taken) -> str:
    """part1: mine, worksheet; no notebook.csv"""
    names = [file.rpartition("/")[2] for file in taken.files if file.startswith(f"{part.folder}/")]
    if not names:
        return f"{part.name}: nothing"
    versions = [name.partition(".")[0] for name in names if part.role_of(name) == "code"]
    there = [*versions, *(word for name, word in _WANTED.items() if name in names)]
    missing = [] if versions else [f"mine*{part.header}"]
    missing += [name for name in _WANTED if name not in names]
    told = [", ".join(there)] if there else []
    told += [f"no {', no '.join(missing)}"] if missing else []
    return f"{part.name}: {'; '.join(told)}"


def describe(
    who: HandedIn, parts: Sequence[Part], taken: Taken, problems: Sequence[str], in_full: bool
) -> Iterator[str]:
    """`in_full`: with each file."""
    authors = ", ".join(who.authors) or "no author is named"
    found = " | ".join(_describe_part(part, taken) for part in parts)
    yield in_one_line(f"{who.name} ({who.kind}, {authors}) {found}")
    questions = dict.fromkeys([*problems, *taken.questions(problems), taken.why_nothing])
    yield from (f"  for a person: {in_one_line(text)}" for text in questions if text)
    for one in taken.ignored:
        asks = REQUEST.fullmatch(one.file)
        if in_full or asks:
            yield f"  {'' if asks else 'ignored: '}{in_one_line(one.file)}: {one.why}"
    yield from (f"  {file}" for file in sorted(taken.files) if in_full)


def describe_class(everybody: Sequence[HandedIn]) -> Iterator[str]:
    for author, where in named_twice(everybody).items():
        yield f"{in_one_line(author)} is an author of {' and '.join(where)}: which of them counts?"
