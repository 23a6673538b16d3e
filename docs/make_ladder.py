"""Writes the ladders of solutions/README.md, and what was measured into the headers of the versions.

    make_ladder.py            rewrites README.md between <!-- ladder PART --> and <!-- end of ladder -->, its exhibits
                              between <!-- exhibits PART --> and <!-- end of exhibits -->, and the factor after
                              `Measured:` in each header
    make_ladder.py --check    status 1, and the name of each stale file

A version is a row of CMakeLists.txt and a header, whose comment begins on line 1: Problem, Idea, Predicted, Measured,
Why. Predicted and Measured begin with the factor against the parent, `1.5 x`; `refused` stands for a wrong version.
"""

import difflib
import re
import sys
import textwrap
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from pathlib import Path

from figures import BadTable, figure, row
from nbody_lab import ROOT

SOLUTIONS = ROOT / "solutions"
MARK = re.compile(r"<!-- (ladder|exhibits) (\w+) -->\n(.*?)<!-- end of \1 -->", re.S)
ROW = re.compile(r"add_implementation\((\w+) \"([^\"]+)\"([^)]*)\)")
LONGEST = 28  # lines that a page shows of a version
WORKS = re.compile(r"sqrt|inverse|\.add\(|MPI_|nccl|pass_on")  # what a loop worth showing does
# What to show where neither a change nor a loop fits: a file beside the header, and how each excerpt begins.
EXCERPTS = {
    "part1/third_law": ("04_third_law.hpp", "for (std::size_t j = i + 1"),
    "part3/resident": (
        "01_resident.cuh",
        "void compute_accelerations",
        "std::vector<Body> on_host",
    ),
    "part3/split": ("06_split.cuh", "__global__ void add_chunks", "void launch() {"),
    "part3/many_steps": ("08_many_steps.cuh", "double advance", "void record"),
    "part3/third_law": ("support/third_law_kernel.cuh", "for (int turn = 0"),
    "part4/replicated": (
        "08_replicated.hpp",
        "void compute_accelerations",
        "std::vector<Body> from_team",
    ),
}
LEAST_ALIKE = 0.4  # of two files; less, and one does not change the other's lines
UNITS = {"FPDivider": "divider", "Port0": "port 0", "Port1": "port 1", "Port5": "port 5"}
LIMITS = {
    "part1": ["share of its bound", "limit"],
    "part2": ["share of its bound", "limit"],
    "part3": ["share of the ceiling", "limit"],
    "part4": ["spread"],
}

IN_PARALLEL = ("-fopenmp", "${threads}", "Threads::Threads")  # on two threads
ON_GPUS = ("gpus", "gpus_nccl", "gpus_matrix")
LANES = ("lanes_over_i", "array_of_batches")
SIMULATED = ("force_decomposition", "replicated")  # on 64 ranks of a cluster
FEW_BODIES = ("many_steps", "grid_sync", "two_buffers", "exchange")


@dataclass(frozen=True)
class Part:
    name: str
    folder: str
    measured: str  # a file of data/results
    # What tells its rows apart if it has several of a name, and versions measured elsewhere.
    keys: dict[str, object] = field(default_factory=dict)
    others: dict[str, dict[str, object]] = field(default_factory=dict)
    bounds: str = ""


PARTS = (
    Part("part1", "part1_standard_opti", "part1_ladder_1_thread", bounds="part1_bounds"),
    Part(
        "part2",
        "part2_vectorization",
        "part2_ladder_1_thread",
        others={name: {"file": "part2_lanes", "n": 5000} for name in LANES},
        bounds="part2_bounds",
    ),
    Part(
        "part3",
        "part3_cuda",
        "part3_study_ladder",
        others={
            **{name: {"file": "part3_study_barriers", "n": 1024} for name in FEW_BODIES},
            "shuffles": {"file": "part3_study_shuffles"},
        },
    ),
    Part(
        "part4",
        "part4_mpi",
        "part4_ladder",
        {"ranks": 16},
        {
            **{name: {"file": "two_gpus", "n": 1048576, "ranks": 2} for name in ON_GPUS},
            **{name: {"file": f"part4_simulated_{name}", "ranks": 64} for name in SIMULATED},
        },
    ),
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
    def number(self) -> str:
        """Its place in the ladder; none for an exhibit and for research."""
        found = re.match(r"0*(\d+)_", self.path.name)
        return found[1] if found else ""

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def said(self, head: str) -> str:
        """What the comment says after `Predicted:`, say, on one line."""
        comment = re.match(r"(?://.*\n)+", self.text)
        lines = "\n".join(line[3:] for line in comment[0].splitlines()) if comment else ""
        found = re.search(
            rf"(?ms)^{head}: (.*?)(?=^(?:Problem|Idea|Predicted|Measured|Why|Limit): |\Z)", lines
        )
        if not found:
            raise BadTable(
                f"{self.path.relative_to(ROOT)}: no line of its first comment begins with '{head}:'"
            )
        return " ".join(found[1].split())

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
        if any(words in self.words for words in IN_PARALLEL):
            file = file.replace("_1_thread", "_2_threads")
        return {
            "file": file,
            "name": self.name,
            **self.part.keys,
            **self.part.others.get(self.name, {}),
        }

    def measured(self, what: str, **more: object) -> str:
        try:
            return figure({**self.where, "is": what, **more})
        except (BadTable, KeyError, OSError):  # not measured yet
            return ""

    @property
    def gained(self) -> str:
        """Against its parent; empty if that was not measured."""
        if self.name in SIMULATED:
            return self.measured("x", to={"file": f"part4_simulated_{self.parent}"})
        return self.measured("x_parent")

    @property
    def limits(self) -> list[str]:
        """What its row shows beside the speed."""
        if self.name in SIMULATED:
            return ["simulated, 64 ranks"]
        if self.part.bounds:
            return self.bound
        if self.part.name == "part3":
            return [self.measured("share", to={"name": "peak"}), self.said("Limit")]
        return [self.measured("spread")]

    @property
    def bound(self) -> list[str]:
        """The share of the bound of its loop, and the unit that is full there."""
        try:
            bound = row({"file": self.part.bounds, "name": self.name})
        except BadTable:
            return ["", ""]
        units = dict.fromkeys(UNITS.get(unit, unit.lower()) for unit in bound["limit"])
        share = bound.get("share_of_bound")
        return [f"{100 * share:.0f} %" if share else "", ", ".join(units) or "waits"]


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
        found, key=lambda one: (not one.number, one.path.parent.name == "beyond", one.number)
    )


def table(head: list[str], lines: list[list[str]]) -> str:
    """In Markdown."""
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def link(version: Version) -> str:
    return f"[{version.name}]({version.path.relative_to(SOLUTIONS)})"


def gain(version: Version, above: str = "") -> str:
    """Measured against its parent, or against what the header names; not named if it is the row above."""
    factor = version.factor("Measured")
    if factor == "refused":
        return factor
    other = re.match(r"[\d.]+ x (third_law)\b", version.said("Measured"))
    against = other[1] if other else version.parent
    named = factor if against == above else f"{factor} {against}"
    return f"{named}, refused" if version.option("EXPECT") else named


def speed(version: Version) -> str:
    """With the number of bodies where that is not its part's."""
    n = version.part.others.get(version.name, {}).get("n")
    shown = version.measured("10^9/s")
    return f"{shown} (N = {n})" if n and shown else shown


def code_of(path: Path) -> list[str]:
    """Its lines without comments, what it includes, and what every class repeats."""
    dull = re.compile(
        r"#pragma once|#include|.*\bnamespace\b|class \w+ :|\s*(public|protected|private):|\s*using |\s*explicit |};|\s*$"
    )
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not dull.match(line)]
    return [code for code in (re.sub(r"\s*//.*", "", line) for line in lines) if code]


def without_margin(code: list[str]) -> list[str]:
    """Without the blanks that all lines begin with, but those of the preprocessor."""
    dedented = iter(
        textwrap.dedent("\n".join(line for line in code if line[0] != "#")).splitlines()
    )
    return [line if line[0] == "#" else next(dedented) for line in code]


def block_from(code: list[str], k: int) -> list[str]:
    """A function or loop that begins with line k; it ends with the first line that is not indented more."""
    deeper = re.match(" *", code[k])[0] + " "
    end = next(m for m in range(k + 1, len(code)) if not code[m].startswith((deeper, "#")))
    return code[k : end + 1]


def excerpt(version: Version) -> list[str]:
    """What EXCERPTS names of it, one block below the other."""
    file, *beginnings = EXCERPTS.get(f"{version.part.name}/{version.name}", ("",))
    shown = []
    for beginning in beginnings:
        code = code_of(version.path.parent / file)
        found = [k for k, line in enumerate(code) if line.lstrip().startswith(beginning)]
        if len(found) != 1:
            raise BadTable(f"{file}: {len(found)} lines begin with '{beginning}'")
        shown += without_margin(block_from(code, found[0]))
    return shown


def hot_loop(code: list[str]) -> list[str]:
    """The longest of its loops that can be shown."""
    loops = [
        block_from(code, k)
        for k, line in enumerate(code)
        if line.lstrip().startswith("for (") and line.endswith("{")
    ]
    shown = (one for one in loops if len(one) <= LONGEST and WORKS.search("\n".join(one)))
    return max(shown, key=len, default=[])


def difference(version: Version, parent: Path) -> list[str]:
    """What its code changes against its parent, folded: of a long change the new lines, of a new kernel its loop or an
    excerpt."""
    old, new = code_of(parent), code_of(version.path)
    name = re.sub(r"^\d\d_", "", parent.stem)
    inherits = re.search(rf"public {name.title().replace('_', '')}\b", version.text)
    plain = ([line.strip() for line in code] for code in (old, new))  # a loop may have moved
    match = difflib.SequenceMatcher(None, *plain, autojunk=False)
    signs, lines, shown = [], [], ""
    if match.ratio() < LEAST_ALIKE:
        lines = new
        if len(lines) > LONGEST:
            lines, shown = hot_loop(new), ", its loop"
    else:
        for what, i, i_end, j, j_end in match.get_opcodes():
            if what != "equal" and not (what == "delete" and inherits):
                signs += ["-"] * (i_end - i) + ["+"] * (j_end - j)
                lines += old[i:i_end] + new[j:j_end]
        if len(lines) > LONGEST:
            lines = [line for sign, line in zip(signs, lines) if sign == "+"]
            signs, shown = [], ", the new lines"
            if len(lines) > LONGEST:
                lines, shown = hot_loop(new), ", its loop"
    if named := excerpt(version):
        signs, lines, shown = [], named, ", an excerpt"
    if not 0 < len(lines) <= LONGEST:
        return []
    code = [sign + line for sign, line in zip_longest(signs, without_margin(lines), fillvalue="")]
    title = f"<details><summary>{name} → {version.name}{shown}</summary>"
    fence = "```diff" if signs else "```cpp"
    return ["\n".join([title, "", fence, *code, "```", "</details>"])]


def ladder(part: Part) -> dict[str, str]:
    """What the page shows of a part, by the name of its marks."""
    versions = versions_of(part)
    paths = {one.name: one.path for one in versions}
    paths["naive"] = next((ROOT / part.folder).glob("naive.*h*"))
    rungs = [one for one in versions if one.number]
    head = ["", "version", "predicted", "measured, x parent", "10^9/s", "idea", *LIMITS[part.name]]
    naive = {"file": part.measured, **part.keys, "name": "naive", "is": "10^9/s"}
    naive_link = f"[naive](../{paths['naive'].relative_to(ROOT)})"
    speeds = [
        ["0", naive_link, "", "", figure(naive), "the formulas", *("" for _ in LIMITS[part.name])]
    ]
    for above, one in zip(["naive", *(one.name for one in rungs)], rungs):
        gained = [one.factor("Predicted"), gain(one, above)]
        speeds.append([one.number, link(one), *gained, speed(one), one.idea, *one.limits])
    others = [
        [link(one), one.factor("Predicted"), gain(one), one.idea]
        for one in versions
        if not one.number
    ]
    differences = [text for one in rungs for text in difference(one, paths[one.parent])]
    exhibits = table(["exhibit", "predicted", "measured, x parent", "what it shows"], others)
    return {
        "ladder": table(head, speeds) + "\n\n" + "\n".join(differences) + "\n",
        "exhibits": exhibits + "\n",
    }


def stale_headers() -> dict[Path, str]:
    """Those whose factor after `Measured:` is not the one of data/results, as they should be."""
    found = {}
    for part in PARTS:
        for one in versions_of(part):
            factor = re.match(r"[\d.]+", one.gained)
            if factor and one.factor("Measured") not in ("refused", factor[0]):
                found[one.path] = re.sub(
                    r"(?m)^(// Measured: )(\?|[\d.]+)(?= x)",
                    rf"\g<1>{factor[0]}",
                    one.text,
                    count=1,
                )
    return found


def write(files: dict[Path, str]) -> None:
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: written")


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    page = SOLUTIONS / "README.md"
    try:
        stale = stale_headers()
        if not arguments:
            write(stale)  # before the page that shows them
        old = page.read_text(encoding="utf-8")
        made = {part.name: ladder(part) for part in PARTS}
    except BadTable as fault:
        print(f"make_ladder: {fault}", file=sys.stderr)
        return 2
    new = MARK.sub(
        lambda mark: (
            f"<!-- {mark[1]} {mark[2]} -->\n{made[mark[2]][mark[1]]}<!-- end of {mark[1]} -->"
        ),
        old,
    )
    if new != old:
        stale[page] = new
        if not arguments:
            write({page: new})
    for path in stale if arguments else ():
        print(f"{path.relative_to(ROOT)}: stale; run docs/make_ladder.py")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
