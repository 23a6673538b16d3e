"""Writes the ladders of solutions/README.md, and what was measured into the headers of the versions.

    make_ladder.py            rewrites README.md between <!-- ladder PART --> and <!-- end of ladder -->, and the
                              factor after `Measured:` in each header
    make_ladder.py --check    status 1, and the name of each stale file

A version is a row of CMakeLists.txt and a header, whose comment begins on line 1: Problem, Idea, Predicted, Measured,
Why. Predicted and Measured begin with the factor against the parent, `1.5 x`; `refused` stands for a wrong version.
"""

import difflib
import re
import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from figures import BadTable, figure, row
from nbody_lab import ROOT

SOLUTIONS = ROOT / "solutions"
MARK = re.compile(r"<!-- ladder (\w+) -->\n(.*?)<!-- end of ladder -->", re.S)
ROW = re.compile(r"add_implementation\((\w+) \"([^\"]+)\"([^)]*)\)")
LONGEST_DIFFERENCE = 30  # lines; more is a new kernel, to be read as a whole
UNITS = {"FPDivider": "divider", "FPP1": "divider", "slots": "issue slots"}

FEW_BODIES = ("many_steps", "grid_sync", "two_buffers", "exchange")


@dataclass(frozen=True)
class Part:
    name: str
    folder: str
    measured: str  # a file of data/results
    keys: dict[str, object] = field(
        default_factory=dict
    )  # of its rows, if it has several of a name
    others: dict[str, dict[str, object]] = field(default_factory=dict)  # measured elsewhere
    bounds: str = ""


PARTS = (
    Part("part1", "part1_standard_opti", "part1_ladder_1_thread", bounds="part1_bounds"),
    Part("part2", "part2_vectorization", "part2_ladder_1_thread", bounds="part2_bounds"),
    Part(
        "part3",
        "part3_cuda",
        "part3_study_ladder",
        others={name: {"file": "part3_study_barriers", "n": 1024} for name in FEW_BODIES},
        bounds="part3_bounds",
    ),
    Part("part4", "part4_mpi", "part4_ladder", {"ranks": 16}),
)


@dataclass(frozen=True)
class Version:
    part: Part
    name: str
    idea: str
    path: Path
    words: str  # the options of its row

    def option(self, name: str, default: str = "") -> str:
        found = re.search(rf"\b{name} (\w+)", self.words)
        return found[1] if found else default

    @property
    def parent(self) -> str:
        return self.option("PARENT", "naive")

    @property
    def is_exhibit(self) -> bool:
        return self.path.parent.name == "exhibits"

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def said(self, head: str) -> str:
        """What the comment says after `Predicted:`, say, on one line."""
        comment = re.match(r"(?://.*\n)+", self.text)
        lines = " ".join(line[3:] for line in comment[0].splitlines()) if comment else ""
        found = re.search(
            rf"\b{head}: (.*?)(?= (?:Problem|Idea|Predicted|Measured|Why): |$)", lines
        )
        if not found:
            raise BadTable(f"{self.path.relative_to(ROOT)}: its first comment has no '{head}:'")
        return found[1]

    def factor(self, head: str) -> str:
        """`1.5`, or `refused`."""
        found = re.match(r"(\?|[\d.]+) x\b|refused\b", self.said(head))
        if not found:
            raise BadTable(
                f"{self.path.relative_to(ROOT)}: '{head}:' begins neither with a factor, '1.5 x', nor with 'refused'"
            )
        return found[1] or "refused"

    @property
    def where(self) -> dict[str, object]:
        """Its row of data/results."""
        file = self.part.measured
        if "-fopenmp" in self.words or "${threads}" in self.words or "${tree}" in self.words:
            file = file.replace("_1_thread", "_2_threads")
        return {
            "file": file,
            "name": self.name,
            **self.part.keys,
            **self.part.others.get(self.name, {}),
        }

    def measured(self, what: str) -> str:
        try:
            return figure({**self.where, "is": what})
        except (BadTable, KeyError, OSError):  # not measured yet
            return ""

    @property
    def limit(self) -> tuple[str, str]:
        """Its share of the bound of its loop, and the unit that is full there."""
        try:
            bound = row({"file": self.part.bounds, "name": self.name})
        except (BadTable, OSError):
            return "", ""
        units = dict.fromkeys(UNITS.get(unit, unit.lower()) for unit in bound["limit"])
        share = bound.get("share_of_bound")
        return f"{100 * share:.0f} %" if share else "", ", ".join(units) or "waits"


def versions_of(part: Part) -> list[Version]:
    """In the order of the rows; research after the rest."""
    found = []
    for folder in (SOLUTIONS / part.folder, SOLUTIONS / "beyond"):
        about = (folder / "CMakeLists.txt").read_text(encoding="utf-8")
        if folder.name == "beyond":
            about = "".join(
                re.findall(rf"continue_part\({part.name}\)(.*?)(?=continue_part|\Z)", about, re.S)
            )
        for name, idea, words in ROW.findall(re.sub(r"#.*", "", about)):
            paths = [
                path
                for place in (folder, folder / "exhibits")
                for path in place.glob(f"*{name}.*h*")
                if re.fullmatch(rf"(\d\d_)?{name}\.(hpp|cuh)", path.name)
            ]
            if len(paths) != 1:
                raise BadTable(f"{folder.name}/CMakeLists.txt: {name} has {len(paths)} headers")
            found.append(Version(part, name, idea, paths[0], words))
    return sorted(
        found,
        key=lambda one: (
            one.is_exhibit,
            one.path.parent.name == "beyond",
            one.path.name[:2] if not one.is_exhibit else "",
        ),
    )


def table(head: list[str], lines: list[list[str]]) -> str:
    """In Markdown."""
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def link(version: Version) -> str:
    return f"[{version.name}]({version.path.relative_to(SOLUTIONS)})"


def gain(version: Version) -> str:
    """Measured against its parent."""
    factor = version.factor("Measured")
    return factor if factor == "refused" else f"{factor} {version.parent}"


def code_of(text: str) -> list[str]:
    """Without its first comment, what it includes, and what every class repeats."""
    dull = re.compile(
        r"#pragma once|#include|namespace|}  // namespace|class \w+ :|\s*(public|protected|private):|\s*using |\s*explicit |};|\s*$|\s*//"
    )
    return [line for line in re.sub(r"\A(//.*\n)+", "", text).splitlines() if not dull.match(line)]


def difference(version: Version, parent: Path) -> str:
    """What the code changes against its parent, unless it is a new kernel or a longer story."""
    old, new = code_of(parent.read_text(encoding="utf-8")), code_of(version.text)
    lines = [
        line
        for line in difflib.unified_diff(old, new, lineterm="", n=0)
        if not line.startswith(("---", "+++", "@@"))
    ]
    if not 0 < len(lines) <= LONGEST_DIFFERENCE:
        return ""
    shown = "\n".join(lines)
    return f"<details><summary>{parent_name(parent)} → {version.name}</summary>\n\n```diff\n{shown}\n```\n</details>"


def parent_name(path: Path) -> str:
    return re.sub(r"^\d\d_", "", path.stem)


def ladder(part: Part) -> str:
    versions = versions_of(part)
    paths = {one.name: one.path for one in versions}
    paths["naive"] = next((ROOT / part.folder).glob("naive.*h*"))
    rungs, exhibits = [], []
    for one in versions:
        if one.is_exhibit or one.path.parent.name == "beyond":
            exhibits.append([link(one), one.idea, one.factor("Predicted"), gain(one)])
        else:
            number = one.path.name.split("_")[0].lstrip("0")
            rungs.append(
                [
                    number,
                    link(one),
                    one.idea,
                    one.factor("Predicted"),
                    one.factor("Measured"),
                    one.measured("10^9/s"),
                    *one.limit,
                ]
            )
    shown = [
        table(
            [
                "",
                "version",
                "idea",
                "predicted",
                "measured",
                "10^9/s",
                "share of its bound",
                "limit",
            ],
            rungs,
        ),
        "\n".join(
            filter(
                None,
                (
                    difference(one, paths[one.parent])
                    for one in versions
                    if not one.is_exhibit and one.path.parent.name != "beyond"
                ),
            )
        ),
        table(["exhibit", "what it shows", "predicted", "measured, x parent"], exhibits),
    ]
    return "\n\n".join(filter(None, shown)) + "\n"


def stale_headers() -> dict[Path, str]:
    """Those whose factor after `Measured:` is not the one of data/results, as they should be."""
    found = {}
    for part in PARTS:
        for one in versions_of(part):
            factor = re.match(r"[\d.]+", one.measured("x_parent"))
            if factor and one.factor("Measured") not in ("refused", factor[0]):
                found[one.path] = re.sub(
                    r"(?m)^(// Measured: )(\?|[\d.]+)(?= x)",
                    rf"\g<1>{factor[0]}",
                    one.text,
                    count=1,
                )
    return found


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    page = SOLUTIONS / "README.md"
    try:
        stale = stale_headers()
        for path, text in stale.items() if not arguments else ():
            path.write_text(text, encoding="utf-8")
        old = page.read_text(encoding="utf-8")
        made = {part.name: ladder(part) for part in PARTS}
    except BadTable as fault:
        print(f"make_ladder: {fault}", file=sys.stderr)
        return 2
    new = MARK.sub(
        lambda mark: f"<!-- ladder {mark[1]} -->\n{made[mark[1]]}<!-- end of ladder -->", old
    )
    if new != old:
        stale[page] = new
    for path, text in stale.items():
        if not arguments:
            path.write_text(text, encoding="utf-8")
        print(
            f"{path.relative_to(ROOT)}: {'stale; run docs/make_ladder.py' if arguments else 'written'}"
        )
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
