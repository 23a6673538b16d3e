"""The instructions of a program's innermost hot loop, read from its machine code with binutils.

    hot_loop(program)              of compute_accelerations(), and of all that it calls
    machine_code.py PROGRAM        prints it

The hot loop is an innermost loop that takes square roots. If there are several (a vector body, its remainder, the batch
that holds the row itself), it is the one with the most roots per iteration; on a tie, the one with the fewest instructions.
"""

import os
import re
import sys
from collections import namedtuple

from nbody_lab.bound.machine_loops import blocks_of, innermost, longest_way, loops_of, parent_of
from nbody_lab.bound.machine_symbols import Code, NoLoop
from nbody_lab.core.messages import ended, stop

# function: the function that contains the loop; roots: square roots per iteration, counted per lane; calls: names of
# the functions it calls; others: HotLoops without roots but with arithmetic, in the same enclosing loop.
HotLoop = namedtuple("HotLoop", "function instructions instruction_set lanes roots calls others")

X86_FLOAT = re.compile(
    r"v?(?:add|sub|mul|div|sqrt|rsqrt(?:14|28)?|rcp(?:14|28)?|min|max|fn?m(?:add|sub|addsub)[0-9]*|haddp?|dpp?|getexp|scalef|fixupimm)"
    r"([sp][sd])\b"
)
X86_ROOT = re.compile(r"v?r?sqrt(?:14|28)?([sp][sd])\b")
ARM_FLOAT = re.compile(
    r"f(?:add|sub|mul|div|sqrt|rsqrt[es]|recp[es]|n?m(?:add|sub|la|ls)|min|max|minnm|maxnm|nmul|abd)\b"
)
ARM_ROOT = re.compile(r"f(?:sqrt|rsqrte)\b")
ROOT_CALL = re.compile(
    r"\b(?:callq?|bl) .*<(?:std::)?(sqrtf?|powf?|__powf?_finite|__sqrtf?_finite|hypotf?)(?:@plt|@\w+)?[>(]"
)
CALL = re.compile(r"\b(?:callq?|bl) [0-9a-f]+ <([^>@+]+)")
SETS = {16: "sse2", 32: "avx2", 64: "avx512f"}  # register size in bytes


def computes(text):
    """(lanes, bytes per number, instruction set) of an arithmetic instruction; None for any other."""
    found = X86_FLOAT.match(text)
    if found:
        size = 8 if found[1][1] == "d" else 4
        width = 64 if "%zmm" in text else 32 if "%ymm" in text else 16
        return (1, size, "scalar") if found[1][0] == "s" else (width // size, size, SETS[width])
    if ARM_FLOAT.match(text):
        found = re.search(r"\bv\d+\.(\d)([sd])\b", text)
        return (
            (int(found[1]), 8 if found[2] == "d" else 4, "neon")
            if found
            else (1, 8 if " d" in text else 4, "scalar")
        )
    return None


def is_root(text):
    return bool(X86_ROOT.match(text) or ARM_ROOT.match(text))


def shape_of(texts):
    """The (instruction set, lanes, roots) of a loop. A loop that takes its roots one by one is scalar, even if the
    compiler keeps two coordinates in a four-lane register. A float estimate of a double root counts only as many roots
    as the arithmetic has lanes."""
    done = [made for made in map(computes, texts) if made]
    roots = [computes(text) for text in texts if is_root(text)]
    if not done or any(lanes == 1 for lanes, _, _ in roots):
        return "scalar", 1, len(roots)
    packed = [made for made in done if made[0] > 1] if roots else []
    if not packed:
        return "scalar", 1, len(roots)
    in_double = sum(size == 8 for _, size, _ in done) * 2 > len(done)
    lanes, _size, instruction_set = max(
        (made for made in packed if made[1] == (8 if in_double else 4)),
        default=max(packed),
        key=lambda made: made[0] * made[1],
    )
    return instruction_set, lanes, sum(min(root[0], lanes) for root in roots)


def calls_root(block):
    return any(ROOT_CALL.search(one.text) for one in block.instructions)


def work_of(block, avoided):
    """The weight of a block when paths are compared: its arithmetic; on a tie, the block without a call wins."""
    if avoided and calls_root(block):
        return -1000
    return sum(1 if computes(one.text) else 0 for one in block.instructions) - 0.1 * bool(
        CALL.search(block.instructions[-1].text)
    )


def described(symbol, instructions):
    texts = [one.text for one in instructions]
    instruction_set, lanes, roots = shape_of(texts)
    of_calls = sum(1 for text in texts if ROOT_CALL.search(text))
    calls = [found[1] for found in map(CALL.search, texts) if found]
    return HotLoop(symbol.name, instructions, instruction_set, lanes, roots or of_calls, calls, [])


def without_padding(instructions):
    return [one for one in instructions if not re.match(r"(data16 |cs )*nop", one.text)]


def way_round(loop, loops, blocks):
    """The heaviest path. If the compiler has a root instruction, it calls sqrt() only for negative numbers: avoid
    that path."""
    has_root = any(is_root(one.text) for k in loop.body for one in blocks[k].instructions)
    return without_padding(longest_way(loop, loops, blocks, lambda block: work_of(block, has_root)))


def loops_with_roots(symbol, instructions):
    """The innermost loops of a function that take square roots, each with its neighbours in `others`."""
    if not instructions:
        return []
    blocks = blocks_of(instructions)
    loops = loops_of(blocks)
    inner = [
        (loop, described(symbol, way_round(loop, loops, blocks)))
        for loop in innermost(loops, blocks, is_root)
    ]
    found = []
    for loop, hot in inner:
        if hot.roots:
            around = parent_of(loop, loops)
            beside = [
                other
                for one, other in inner
                if one is not loop
                and around
                and parent_of(one, loops) is around
                and not other.roots
                and any(computes(each.text) for each in other.instructions)
            ]
            found.append(hot._replace(others=beside))
    return found


def candidates(program, function="compute_accelerations"):
    """Every innermost loop with roots in the function and in what it calls. Raises NoLoop."""
    code = Code(program)
    first = code.entries(function)
    if not first:
        raise NoLoop(f"{program} has no function {function}()")
    return [
        loop
        for symbol, instructions in code.reached_from(first).items()
        for loop in loops_with_roots(symbol, instructions)
    ]


def hot_loop(program, function="compute_accelerations"):
    """The loop that takes most of the time, chosen by the static rule above. Raises NoLoop."""
    found = candidates(program, function)
    if not found:
        raise NoLoop(
            f"{os.path.basename(str(program))}: no loop in {function}() has a square-root instruction or calls sqrt() or pow()"
        )
    return max(found, key=lambda loop: (loop.roots, -len(loop.instructions)))


def show(words):
    try:
        loop = hot_loop(*words)
    except NoLoop as fault:
        stop(str(fault))
    print(
        f"{loop.function}: {len(loop.instructions)} instructions, {loop.instruction_set}, roots: {loop.roots}"
    )
    print("\n".join(f"  {one.address:x}  {one.text}" for one in loop.instructions))


def main(words):
    if len(words) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return ended(show, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
