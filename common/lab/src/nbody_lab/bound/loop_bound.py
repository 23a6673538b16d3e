"""The bound of one loop: its full port, the least cycles per iteration, and the cycles per interaction. With the gain
of one instruction fewer on its full ports."""

import re

from nbody_lab.bound import mca as bound_mca
from nbody_lab.bound.instruction_kinds import by_kind, kind_of, operations
from nbody_lab.bound.mca import CannotCount
from nbody_lab.core.packages import has
from nbody_lab.hardware.cores import core_called

FRONT_END = "front end"
STEP = re.compile(r"add \$(0x[0-9a-f]+),(%r\w+)$")
LEAST_SHARE = (
    0.99  # a port counts as full if it is this close to the fullest, to allow for rounding
)


def has_osaca():
    """Whether ./lab setup --pictures has installed OSACA."""
    return has("osaca")


def by_osaca(core, texts):
    from nbody_lab.bound.osaca_model import analysis  # slow

    try:
        return analysis(core.osaca, texts)
    except Exception as fault:  # OSACA raises anything
        raise CannotCount(f"OSACA stopped: {type(fault).__name__}: {fault}") from fault


def count_ports(core, texts):
    """The ports as OSACA counts them if it knows the core, else llvm-mca. Raises CannotCount with one line: what is
    missing."""
    if core and core.like:
        return {**count_ports(core_called(core.like), texts), "instead_of": core.name}
    if core and core.osaca:
        if has_osaca():
            return by_osaca(core, texts)
        if not bound_mca.find_mca():
            raise CannotCount(
                "no tool here counts ports: ./lab setup --pictures installs OSACA (400 MB)"
            )
    elif not bound_mca.find_mca():
        name = core.name if core else "this processor"
        raise CannotCount(f"OSACA does not know {name}, llvm-mca may: install the package llvm")
    return bound_mca.analysis(core, texts)


def begun(texts):
    """Instructions as the front end counts them: a comparison and the jump after it are fused."""
    return sum(
        1
        for text, after in zip(texts, [*texts[1:], ""])
        if not (
            re.match(r"(cmp|test|add|sub|and|inc|dec)[bwlq]? ", text) and kind_of(after) == "jump"
        )
    )


def steps_in(texts):
    """(number, register) of each increment."""
    return [(int(one[1], 16), one[2]) for one in filter(None, map(STEP.match, texts))]


def smallest_step(texts):
    """Smallest number of bytes by which the loop advances in an array; None if unknown."""
    steps = []
    for number, register in steps_in(texts):
        as_index = [
            int(scale)
            for text in texts
            for scale in re.findall(rf"\([^()]*,{register},(\d)\)", text)
        ]
        as_base = any(re.search(rf"\({register}[,)]", text) for text in texts)
        if as_index or as_base:
            steps.append(number * max([*as_index, 1]))
    return min(steps, default=None)


def times_beside(hot, other):
    """Iterations of the other loop per iteration of the hot one, since both process the same bodies."""
    mine, its = (
        smallest_step([one.text for one in hot.instructions]),
        smallest_step([one.text for one in other.instructions]),
    )
    return mine / its if mine and its and mine >= its else None


def least_cycles(counted, texts, width):
    """(cycles, limit) per iteration: the fullest port, the dependency chain, or the front end."""
    ports = {**counted["ports"], FRONT_END: begun(texts) / width if width else 0}
    port = max(ports, key=ports.get)
    chain = counted["chain_cycles"] or 0
    return max(ports[port], chain), port if ports[port] >= chain else "chain"


def full_ports(ports):
    """The ports with the most cycles."""
    most = max(ports.values(), default=0)
    return [port for port, cycles in ports.items() if most and cycles >= LEAST_SHARE * most]


def slot_of_divider(counted, full):
    """Cycles of the divider for its fastest division or root, if only the divider is full; else None, where a slot is one
    cycle of one port."""
    if len(full) != 1 or "DV" not in full[0] or "lines" not in counted:
        return None
    column = list(counted["ports"]).index(full[0])
    return min((line[column] for line in counted["lines"] if line[column] > 0), default=None)


def beside_of(core, loop):
    """Rows of the neighbouring loops; `times`: their iterations per iteration of this one, None if unknown."""
    rows = []
    for other in loop.others:
        texts, times = [one.text for one in other.instructions], times_beside(loop, other)
        cycles, limit = (
            least_cycles(count_ports(core, texts), texts, core.width if core else 0)
            if times
            else (None, None)
        )
        rows.append({"instructions": len(texts), "times": times, "cycles": cycles, "limit": limit})
    return rows


def taken_by(cycles, limit, beside):
    """{limit: cycles per iteration with all neighbouring loops}, largest first."""
    taken = {limit: cycles}
    for row in beside:
        if row["times"]:
            taken[row["limit"]] = taken.get(row["limit"], 0) + row["times"] * row["cycles"]
    return dict(sorted(taken.items(), key=lambda one: -one[1]))


def bound_of(loop, core, interactions):
    """The part of the bound's JSON that needs no clock (docs/file_formats.md). Raises CannotCount."""
    texts = [one.text for one in loop.instructions]
    counted = count_ports(core, texts)
    cycles, limit = least_cycles(counted, texts, core.width if core else 0)
    beside = beside_of(core, loop)
    taken = taken_by(cycles, limit, beside)
    whole = sum(taken.values())
    full = full_ports(counted["ports"])
    return {
        "core": counted["core"],
        "instead_of": counted.get("instead_of", ""),
        "tool": counted["tool"],
        "loop": {
            "function": loop.function,
            "instructions": len(texts),
            "by_kind": by_kind(texts),
            "operations": operations(texts),
            "text": [bound_mca.plain(text) for text in texts],
            "calls": loop.calls,
        },
        "instruction_set": loop.instruction_set,
        "lanes": loop.lanes,
        "interactions_per_iteration": interactions,
        "ports": counted["ports"],
        "full_ports": full,
        "full_port": full[0] if full else "",
        "limit": limit,
        "slot": slot_of_divider(counted, full),
        "ports_cycles": max(counted["ports"].values(), default=0.0),
        "front_end_cycles": round(begun(texts) / core.width, 2) if core else None,
        "chain_cycles": counted["chain_cycles"],
        "chain": counted["chain"],
        "beside": beside,
        "taken_by": taken,
        "borrowed": counted["borrowed"],
        "unknown": counted["unknown"],
        "cycles_per_iteration": whole,
        "cycles_per_interaction": whole / interactions,
    }


# On a GPU, by the unit that is full (bound_sass.py).
ON_GPU = {
    "slots": "one instruction fewer",
    "float": "one instruction fewer for the float units",
    "double": "one instruction fewer for the double units",
    "special": "one estimate fewer for the special function unit",
    "integer": "one instruction fewer for the integer units",
    "shuffle": "one shuffle fewer between lanes",
    "shared": "one load or store of shared memory fewer",
}


def words_of(full, is_divider):
    ports = f"port {full[0]}" if len(full) == 1 else f"ports {', '.join(full)}"
    return ON_GPU.get(
        full[0], f"one {'division or root' if is_divider else 'instruction'} fewer for {ports}"
    )


def one_slot_less(found):
    """The wording, cycles and speed-up; None if ports are not the limit. On a GPU every instruction also takes a
    slot."""
    full = found["full_ports"]
    if not full or found["limit"] not in full:
        return None
    cycles, own = found["cycles_per_iteration"], max(found["ports"].values())
    others = [
        value - (1 if port == "slots" else 0)
        for port, value in found["ports"].items()
        if port not in full
    ]
    waits = [found["front_end_cycles"] or 0, found["chain_cycles"] or 0]
    slot = found["slot"] or 1 / len(full)
    less = cycles - own + max([own - slot, *others, *waits])
    return {
        "words": words_of(full, found["slot"]),
        "cycles_per_iteration": round(less, 3),
        "speedup": cycles / less,
    }
