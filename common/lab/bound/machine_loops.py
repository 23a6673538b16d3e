"""The innermost loops of one function's machine code: basic blocks, who dominates whom, edges that lead back."""

import re
from collections import namedtuple

# What a language of machines calls a jump, one that is always taken, and an end; `target` finds where it goes.
Language = namedtuple("Language", "jump always ends target")
HOST = Language(  # x86 as AT&T writes it, and ARM
    re.compile(r"(?:bnd |notrack )?(?:j[a-z]+|b|b\.[a-z]+|cbn?z|tbn?z)(?: |$)"), re.compile(r"(?:bnd |notrack )?(?:jmp|b)(?: |$)"),
    re.compile(r"(?:bnd |repz |rep )?(?:ret|hlt|ud2|brk)"), re.compile(r"\b([0-9a-f]+) <"))
GPU = Language(re.compile(r"(?:@!?U?P\w+ )?BRA\b"), re.compile(r"BRA (?!U?P|!U?P)"), re.compile(r"(?:EXIT|RET\S*|BRX\S*)(?: |$)"),
               re.compile(r"\b0x([0-9a-f]+)$"))


def target_of(text, language):
    found = language.target.search(text)
    return int(found[1], 16) if found else None


class Block:
    def __init__(self, instructions):
        self.instructions, self.next = instructions, []


def leaders(instructions, language):
    """Addresses where a block begins: the targets of jumps, and what follows a jump."""
    known = {instruction.address for instruction in instructions}
    found = {instructions[0].address}
    for this, after in zip(instructions, [*instructions[1:], None]):
        if language.jump.match(this.text) or language.ends.match(this.text):
            found |= {target_of(this.text, language), after and after.address} & known
    return found


def blocks_of(instructions, language=HOST):
    """[Block], each with the indices of those that may follow. What leaves the function has no edge: cold parts
    stand apart, and so take no part in a loop."""
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
        if not language.ends.match(last) and not language.always.match(last) and k + 1 < len(blocks):
            block.next.append(k + 1)
    return blocks


def dominators(blocks):
    """For each block, the blocks on every path to it; None if it cannot be reached."""
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
    """A header, the blocks of its ways round, and those from which it starts anew."""

    def __init__(self, header):
        self.header, self.body, self.latches = header, {header}, set()

    def retries(self, blocks):
        return any(RETRY.match(one.text) for k in self.body for one in blocks[k].instructions)


def loops_of(blocks):
    """Every natural loop. An edge leads back if it goes to a block that dominates where it comes from."""
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
    """Loops with no other inside; what tries again is none, unless what matters happens there."""
    real = [loop for loop in loops
            if not loop.retries(blocks) or any(matters(one.text) for k in loop.body for one in blocks[k].instructions)]
    return [loop for loop in real if not any(other.header in loop.body for other in real if other is not loop)]


def parent_of(loop, loops):
    """The smallest loop around it; None where there is none."""
    around = [other for other in loops if other is not loop and loop.header in other.body]
    return min(around, key=lambda other: len(other.body), default=None)


def longest_way(loop, loops, blocks, weight):
    """The instructions of the way round that does most work: of an if and its else the heavier one."""
    best, back = {}, {(latch, other.header) for other in loops for latch in other.latches}

    def heaviest(k):
        """(weight, blocks) of the best way from block k to an end of the loop; None where none leads there."""
        if k not in best:
            best[k] = None
            ways = [heaviest(after) for after in blocks[k].next if after in loop.body and (k, after) not in back]
            ways = [way for way in ways if way] + ([(0, ())] if k in loop.latches else [])
            if ways:
                rest = max(ways, key=lambda way: way[0])
                best[k] = (weight(blocks[k]) + rest[0], (k, *rest[1]))
        return best[k]

    way = heaviest(loop.header)
    return [one for k in way[1] for one in blocks[k].instructions] if way else []
