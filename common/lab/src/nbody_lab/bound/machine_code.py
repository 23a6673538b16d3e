"""The instructions of a program's innermost hot loop, read from its machine code with binutils.

    python -m nbody_lab.bound.machine_code PROGRAM        prints it

The hot loop is an innermost loop that takes square roots. If there are several (a vector body, its
remainder, the batch that holds the row itself), it is the one with the most roots per iteration;
on a tie, the one with the fewest instructions.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from nbody_lab.bound.instruction_kinds import is_root, parse_arithmetic
from nbody_lab.bound.machine_loops import (
    Block,
    Instruction,
    find_innermost,
    find_loops,
    find_parent,
    heaviest_path,
    split_into_blocks,
)
from nbody_lab.bound.machine_symbols import Code, NoLoop, Symbol
from nbody_lab.core.messages import ended

FORCES = "compute_accelerations"
_ROOT_CALL = re.compile(
    r"\b(?:callq?|bl) .*<(?:std::)?"
    r"(sqrtf?|powf?|__powf?_finite|__sqrtf?_finite|hypotf?)(?:@plt|@\w+)?[>(]"
)
_CALL = re.compile(r"\b(?:callq?|bl) [0-9a-f]+ <([^>@+]+)")
_PADDING = re.compile(r"(data16 |cs )*nop")
_AVOIDED = -1000  # weight of a path that is not taken


@dataclass(frozen=True)
class HotLoop:
    """One iteration of a loop; `others` are those beside it, which compute without roots."""

    function: str
    instructions: Sequence[Instruction]
    instruction_set: str
    lanes: int
    roots: int  # per iteration, counted per lane
    calls: Sequence[str] = ()
    others: Sequence["HotLoop"] = ()

    @property
    def texts(self) -> list[str]:
        return [one.text for one in self.instructions]


def shape_of(texts: Sequence[str]) -> tuple[str, int, int]:
    """The (instruction set, lanes, roots) of a loop. A loop that takes its roots one by one is
    scalar, even if the compiler keeps two coordinates in a four-lane register. A float estimate of
    a double root counts only as many roots as the arithmetic has lanes."""
    computed = [one for one in map(parse_arithmetic, texts) if one]
    roots = [one for one in map(parse_arithmetic, filter(is_root, texts)) if one]
    packed = [one for one in computed if one.lanes > 1]
    if not roots or not packed or any(root.lanes == 1 for root in roots):
        return "scalar", 1, len(roots)
    in_double = 2 * sum(one.bytes_each == 8 for one in computed) > len(computed)
    of_precision = [one for one in packed if one.bytes_each == (8 if in_double else 4)]
    widest = max(of_precision, key=lambda one: one.lanes, default=max(packed))
    roots_each = sum(min(root.lanes, widest.lanes) for root in roots)
    return widest.instruction_set, widest.lanes, roots_each


def _weigh(block: Block, avoid_calls: bool) -> float:
    """Its arithmetic; on a tie, the block without a call wins."""
    texts = [one.text for one in block.instructions]
    if avoid_calls and any(map(_ROOT_CALL.search, texts)):
        return _AVOIDED
    return sum(1 for text in texts if parse_arithmetic(text)) - 0.1 * bool(_CALL.search(texts[-1]))


def _describe(symbol: Symbol, instructions: Sequence[Instruction]) -> HotLoop:
    kept = [one for one in instructions if not _PADDING.match(one.text)]
    texts = [one.text for one in kept]
    instruction_set, lanes, roots = shape_of(texts)
    roots = roots or sum(1 for text in texts if _ROOT_CALL.search(text))
    calls = [match[1] for match in map(_CALL.search, texts) if match]
    return HotLoop(symbol.name, kept, instruction_set, lanes, roots, calls)


def find_loops_with_roots(symbol: Symbol, instructions: Sequence[Instruction]) -> list[HotLoop]:
    """The innermost loops of a function that take square roots, each with its neighbours."""
    if not instructions:
        return []
    blocks = split_into_blocks(instructions)
    loops = find_loops(blocks)
    inner = []
    for loop in find_innermost(loops, blocks, is_root):
        # A compiler that has an instruction for roots calls sqrt() only for negative numbers.
        has_root = any(is_root(one.text) for k in loop.body for one in blocks[k].instructions)
        path = heaviest_path(loop, loops, blocks, partial(_weigh, avoid_calls=has_root))
        inner.append((find_parent(loop, loops), _describe(symbol, path)))
    without_roots = [
        (parent, loop)
        for parent, loop in inner
        if not loop.roots and any(map(parse_arithmetic, loop.texts))
    ]
    return [
        replace(hot, others=[loop for around, loop in without_roots if parent and around is parent])
        for parent, hot in inner
        if hot.roots
    ]


def find_candidates(program: Path, function: str = FORCES) -> list[HotLoop]:
    """Every innermost loop with roots in the function and in what it calls. Raises NoLoop."""
    code = Code(program)
    entries = code.entries(function)
    if not entries:
        raise NoLoop(f"{program} has no function {function}()")
    return [
        loop
        for symbol, instructions in code.reached_from(entries).items()
        for loop in find_loops_with_roots(symbol, instructions)
    ]


def find_hot_loop(program: Path, function: str = FORCES) -> HotLoop:
    """The loop that takes most of the time, by the rule above. Raises NoLoop."""
    candidates = find_candidates(program, function)
    if not candidates:
        raise NoLoop(
            f"{program.name}: no loop in {function}() has a square-root instruction"
            " or calls sqrt() or pow()"
        )
    return max(candidates, key=lambda loop: (loop.roots, -len(loop.instructions)))


def _print_hot_loop(program: Path) -> None:
    loop = find_hot_loop(program)
    count = len(loop.instructions)
    print(f"{loop.function}: {count} instructions, {loop.instruction_set}, roots: {loop.roots}")
    print("\n".join(f"  {one.address:x}  {one.text}" for one in loop.instructions))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(ended(_print_hot_loop, Path(sys.argv[1])))
