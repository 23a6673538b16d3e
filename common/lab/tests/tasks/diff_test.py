"""Does ./lab diff compare functions, and is each rung's change short enough to read as a diff?"""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab.core.manifest import Implementation, Manifest
from nbody_lab.tasks.diff import Code, Ladder, count_changed_lines, format_diff
from tests import BUILD

_LIMIT = 10
SLOW = """class Slow : public Simulator {
 public:
  // Comments do not count.
  void work() override {
    for (int i = 0; i < n; ++i) {
      sum += i;  // nor do these
    }
  }

  real rest(real x) const { return x; }
};
"""
FAST = """class Fast : public Slow {
 public:
  using Slow::Slow;
  void work() override {
  #pragma omp simd
    for (int i = 0; i < n; ++i) {
        sum += 2 * i;
    }
  }

  void fresh() { ++n; }
};
"""


def _implementation(name: str, flags: str, **more: str) -> Implementation:
    return Implementation(
        part="part1",
        name=name,
        kind="rung",
        source=f"{name}.hpp",
        flags=tuple(flags.split()),
        summary=f"the {name} one",
        **more,
    )


class _Rows:
    def row(self, part: str, name: str) -> Implementation:
        return {
            "slow": _implementation("slow", "-O2 -g"),
            "same": _implementation("same", "-O3 -g", parent="slow"),
            "fast": _implementation("fast", "-O2 -fopenmp", parent="same", long_diff="why"),
        }[name]


@pytest.fixture
def ladder(tmp_path: Path) -> Ladder:
    for name, text in {"slow": SLOW, "same": "class Same {};\n", "fast": FAST}.items():
        (tmp_path / f"{name}.hpp").write_text(text)
    return Ladder(_Rows(), "part1", tmp_path)


@pytest.mark.parametrize(
    ("before", "after", "changed"), [("ab", "ac", 1), ("ab", "xabyz", 3), ("abc", "a", 2)]
)
def test_changed_lines(before: str, after: str, changed: int) -> None:
    """A replaced line counts once."""
    assert count_changed_lines(list(map(Code, before)), list(map(Code, after))) == changed


def test_a_class_below_the_first(ladder: Ladder) -> None:
    """Its functions count as those of the first."""
    first = ladder.source("slow")
    below = first.parent / "common/simulator/all_bodies.hpp"
    below.parent.mkdir(parents=True)
    below.write_text("class All : public Simulator {\n  int fresh() { return 2; }\n};\n")
    first.write_text('#include "simulator/all_bodies.hpp"\n' + first.read_text())
    assert ("fresh", "slow") in [(one.function, one.where) for one in ladder.compare("fast")]


@pytest.mark.parametrize(
    "names", ["fast", "fast slow", "same", "same same", "slow"], ids=lambda names: names
)
def test_shown(names: str, ladder: Ladder, snapshot: SnapshotAssertion) -> None:
    """The changed functions beside those of the nearest ancestor that has them, without comments and indentation, with
    one line of context; new ones, the flags, and why it is long."""
    assert "\n".join(format_diff(ladder, *names.split())) == snapshot


def test_colours(ladder: Ladder) -> None:
    assert "  \033[31m-      sum += i;\033[0m" in format_diff(ladder, "fast", colours=True)


def _rungs() -> list[Implementation]:
    """Of the build: solutions may be missing, and part 3 without CUDA."""
    file = BUILD / "manifest.json"
    rows = Manifest(file).rows if file.exists() else ()
    return [row for row in rows if row.kind in ("rung", "exhibit", "solution") and row.parent]


@pytest.mark.parametrize("row", _rungs(), ids=lambda row: f"{row.part}/{row.name}")
def test_ten_lines_or_a_reason(row: Implementation) -> None:
    """More than ten lines: LONG_DIFF says why, or a rung between prepares it; ten or fewer need no LONG_DIFF."""
    changed = Ladder(Manifest(BUILD / "manifest.json"), row.part).most_changed_lines(row.name)
    assert (changed > _LIMIT) == bool(row.long_diff), changed
