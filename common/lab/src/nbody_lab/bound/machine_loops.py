"""Finds the innermost loops in a function's machine code: basic blocks, dominators, back edges."""

import re
from collections import namedtuple

# Patterns of an instruction set: any jump, an unconditional jump, an end of control flow, and the address of a jump's
# target.
Language = namedtuple("Language", "jump always ends target")
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


def target_of(text, language):
    found = language.target.search(text)
    return int(found[1], 16) if found else None


class Block:
    def __init__(self, instructions):
        self.instructions, self.next = instructions, []


def leaders(instructions, language):
    """The addresses where a block begins: jump targets, and the instruction after a jump."""
    known = {instruction.address for instruction in instructions}
    found = {instructions[0].address}
    for this, after in zip(instructions, [*instructions[1:], None]):
        if language.jump.match(this.text) or language.ends.match(this.text):
            found |= {target_of(this.text, language), after and after.address} & known
    return found


def blocks_of(instructions, language=HOST):
    """[Block], each with the indices of its successors. A jump out of the function is not an edge, so cold parts placed
    elsewhere belong to no loop."""
    begins = leaders(instructions, language)
    blocks = []
    for instruction in instructions:
        if instruction.address in begins:
            blocks.append(Block([]))
        blocks[-1].instructions.append(instruction)
    index = {block.instructions[0].address: k for k, block in enumerate(blocks)}
    for k, block in enumerate(blocks):
        last = block.instructions[-1].text
        if language.jump.match(last) and target_of(last, language) in index:
            block.next.append(index[target_of(last, language)])
        if (
            not language.ends.match(last)
            and not language.always.match(last)
            and k + 1 < len(blocks)
        ):
            block.next.append(k + 1)
    return blocks


def dominators(blocks):
    """(for each block the set of its dominators, or None if it is unreachable; for each block its predecessors)"""
    before = [[] for _ in blocks]
    for k, block in enumerate(blocks):
        for after in block.next:
            before[after].append(k)
    sets = [None] * len(blocks)
    sets[0] = {0}
    changed = True
    while changed:
        changed = False
        for k in range(1, len(blocks)):
            known = [sets[b] for b in before[k] if sets[b] is not None]
            new = (set.intersection(*known) | {k}) if known else None
            changed, sets[k] = changed or new != sets[k], new
    return sets, before


# A retry loop of an atomic addition: counted as one iteration.
RETRY = re.compile(r"(?:lock )?cmpxchg|st(?:l)?xr")


class Loop:
    """A natural loop: its header, its blocks, and its latches (the blocks that jump back)."""

    def __init__(self, header):
        self.header, self.body, self.latches = header, {header}, set()

    def retries(self, blocks):
        return any(RETRY.match(one.text) for k in self.body for one in blocks[k].instructions)


def loops_of(blocks):
    """Every natural loop. A back edge leads to a block that dominates its source."""
    sets, before = dominators(blocks)
    found = {}
    for k, block in enumerate(blocks):
        for header in block.next:
            if sets[k] is None or header not in sets[k]:
                continue
            loop = found.setdefault(header, Loop(header))
            loop.latches.add(k)
            waiting = [k]
            while waiting:
                one = waiting.pop()
                if one not in loop.body:
                    loop.body.add(one)
                    waiting += [b for b in before[one] if sets[b] is not None]
    return list(found.values())


def innermost(loops, blocks, matters):
    """The loops that contain no other. Retry loops count only if an instruction in them satisfies `matters`."""
    real = [
        loop
        for loop in loops
        if not loop.retries(blocks)
        or any(matters(one.text) for k in loop.body for one in blocks[k].instructions)
    ]
    return [
        loop
        for loop in real
        if not any(other.header in loop.body for other in real if other is not loop)
    ]


def parent_of(loop, loops):
    """The smallest enclosing loop, or None."""
    around = [other for other in loops if other is not loop and loop.header in other.body]
    return min(around, key=lambda other: len(other.body), default=None)


def longest_way(loop, loops, blocks, weight):
    """The instructions of the heaviest path through the loop: of an if and its else, the heavier branch."""
    best, back = {}, {(latch, other.header) for other in loops for latch in other.latches}

    def heaviest(k):
        """(weight, blocks) of the heaviest path from block k to a latch; None if there is none."""
        if k not in best:
            best[k] = None
            ways = [
                heaviest(after)
                for after in blocks[k].next
                if after in loop.body and (k, after) not in back
            ]
            ways = [way for way in ways if way] + ([(0, ())] if k in loop.latches else [])
            if ways:
                rest = max(ways, key=lambda way: way[0])
                best[k] = (weight(blocks[k]) + rest[0], (k, *rest[1]))
        return best[k]

    way = heaviest(loop.header)
    return [one for k in way[1] for one in blocks[k].instructions] if way else []
