"""The gain of a loop if it had one instruction fewer on its full ports."""

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
    return ON_GPU.get(full[0], f"one {'division or root' if is_divider else 'instruction'} fewer for {ports}")


def one_slot_less(found):
    """The wording, cycles and speed-up; None if ports are not the limit. On a GPU every instruction also takes a
    slot."""
    full = found["full_ports"]
    if not full or found["limit"] not in full:
        return None
    cycles, own = found["cycles_per_iteration"], max(found["ports"].values())
    others = [value - (1 if port == "slots" else 0) for port, value in found["ports"].items() if port not in full]
    waits = [found["front_end_cycles"] or 0, found["chain_cycles"] or 0]
    slot = found["slot"] or 1 / len(full)
    less = cycles - own + max([own - slot, *others, *waits])
    return {"words": words_of(full, found["slot"]), "cycles_per_iteration": round(less, 3), "speedup": cycles / less}
