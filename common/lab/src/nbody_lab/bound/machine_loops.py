"""Finds the innermost loops in a function's machine code: basic blocks, dominators, back edges."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Instruction(NamedTuple):
    """Its text: mnemonic, operands, and the symbol that objdump adds."""

    address: int
    text: str


class Language(NamedTuple):
    """Patterns of an instruction set."""

    jump: re.Pattern[str]
    unconditional: re.Pattern[str]
    end: re.Pattern[str]
    target: re.Pattern[str]

    def target_of(self, text: str) -> int | None:
        """The address that an instruction jumps to."""
        match = self.target.search(text)
        return int(match[1], 16) if match else None


HOST = Language(  # x86 in AT&T syntax, and ARM
    re.compile(r"(?:bnd |notrack )?(?:j[a-z]+|b|b\.[a-z]+|cbn?z|tbn?z)(?: |$)"),
    re.compile(r"(?:bnd |notrack )?(?:jmp|b)(?: |$)"),
    re.compile(r"(?:bnd |repz |rep )?(?:ret|hlt|ud2|brk)"),
    re.compile(r"\b([0-9a-f]+) <"),
)
GPU = Language(
    re.compile(r"(?:@!?U?P\w+ )?BRA\b"),
    re.compile(r"BRA (?!U?P|!U?P)"),
    re.compile(r"(?:EXIT|RET\S*|BRX\S*)(?: |$)"),
    re.compile(r"\b0x([0-9a-f]+)$"),
)
# A retry loop of an atomic addition: counted as one iteration.
_RETRY = re.compile(r"(?:lock )?cmpxchg|st(?:l)?xr")


@dataclass(eq=False)
class Block:
    """Instructions without a jump in between, and the indices of the blocks that may follow."""

    instructions: list[Instruction]
    successors: list[int] = field(default_factory=list)


@dataclass(eq=False)
class Loop:
    """A natural loop: the blocks of its body, and its latches, which jump back to the header."""

    header: int
    body: set[int]
    latches: set[int] = field(default_factory=set)


def _find_block_starts(instructions: Sequence[Instruction], language: Language) -> set[int]:
    """The addresses of jump targets, and of the instructions after a jump."""
    starts: set[int | None] = {instructions[0].address}
    for this, following in zip(instructions, [*instructions[1:], None]):
        if language.jump.match(this.text) or language.end.match(this.text):
            starts |= {language.target_of(this.text), following and following.address}
    return {one.address for one in instructions if one.address in starts}


def split_into_blocks(
    instructions: Sequence[Instruction], language: Language = HOST
) -> list[Block]:
    """The basic blocks. A jump out of the function is not an edge, so cold parts placed elsewhere
    belong to no loop."""
    starts = _find_block_starts(instructions, language)
    blocks: list[Block] = []
    for instruction in instructions:
        if instruction.address in starts:
            blocks.append(Block([]))
        blocks[-1].instructions.append(instruction)
    index = {block.instructions[0].address: k for k, block in enumerate(blocks)}
    for k, block in enumerate(blocks):
        last = block.instructions[-1].text
        target = language.target_of(last) if language.jump.match(last) else None
        if target in index:
            block.successors.append(index[target])
        falls_through = not language.end.match(last) and not language.unconditional.match(last)
        if falls_through and k + 1 < len(blocks):
            block.successors.append(k + 1)
    return blocks


def _find_predecessors(blocks: Sequence[Block]) -> list[list[int]]:
    predecessors: list[list[int]] = [[] for _ in blocks]
    for k, block in enumerate(blocks):
        for successor in block.successors:
            predecessors[successor].append(k)
    return predecessors


def _find_dominators(predecessors: Sequence[Sequence[int]]) -> dict[int, set[int]]:
    """For each block that can be reached, the blocks on every way to it."""
    dominators = {0: {0}}
    changed = True
    while changed:
        changed = False
        for k in range(1, len(predecessors)):
            known = [dominators[before] for before in predecessors[k] if before in dominators]
            if known and dominators.get(k) != (new := set.intersection(*known) | {k}):
                dominators[k] = new
                changed = True
    return dominators


def find_loops(blocks: Sequence[Block]) -> list[Loop]:
    """Every natural loop. A back edge leads to a block that dominates its source."""
    predecessors = _find_predecessors(blocks)
    dominators = _find_dominators(predecessors)
    loops: dict[int, Loop] = {}
    for latch in sorted(dominators):
        for header in blocks[latch].successors:
            if header not in dominators[latch]:
                continue
            loop = loops.setdefault(header, Loop(header, {header}))
            loop.latches.add(latch)
            waiting = [latch]
            while waiting:
                k = waiting.pop()
                if k not in loop.body:
                    loop.body.add(k)
                    waiting += [before for before in predecessors[k] if before in dominators]
    return list(loops.values())


def find_innermost(
    loops: Sequence[Loop], blocks: Sequence[Block], matters: Callable[[str], bool]
) -> list[Loop]:
    """The loops without another inside. Retry loops count only if an instruction in them matters."""

    def counts(loop: Loop) -> bool:
        texts = [one.text for k in loop.body for one in blocks[k].instructions]
        return not any(map(_RETRY.match, texts)) or any(map(matters, texts))

    counted = [loop for loop in loops if counts(loop)]
    return [
        loop
        for loop in counted
        if not any(other.header in loop.body for other in counted if other is not loop)
    ]


def find_parent(loop: Loop, loops: Sequence[Loop]) -> Loop | None:
    """The smallest enclosing loop."""
    around = [other for other in loops if other is not loop and loop.header in other.body]
    return min(around, key=lambda other: len(other.body), default=None)


def heaviest_path(
    loop: Loop, loops: Sequence[Loop], blocks: Sequence[Block], weight: Callable[[Block], float]
) -> list[Instruction]:
    """One iteration: of an if and its else, the heavier branch."""
    back = {(latch, other.header) for other in loops for latch in other.latches}
    paths: dict[int, tuple[float, tuple[int, ...]] | None] = {}

    def heaviest_from(k: int) -> tuple[float, tuple[int, ...]] | None:
        """(weight, blocks) of the heaviest path from block k to a latch."""
        if k not in paths:
            paths[k] = None
            rests = [
                heaviest_from(successor)
                for successor in blocks[k].successors
                if successor in loop.body and (k, successor) not in back
            ]
            known = [rest for rest in rests if rest] + ([(0.0, ())] if k in loop.latches else [])
            if known:
                rest_weight, rest = max(known, key=lambda path: path[0])
                paths[k] = (weight(blocks[k]) + rest_weight, (k, *rest))
        return paths[k]

    path = heaviest_from(loop.header)
    return [one for k in path[1] for one in blocks[k].instructions] if path else []
