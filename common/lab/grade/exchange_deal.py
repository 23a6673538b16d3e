"""Who reads whose version: drawn from a seed, never their own, all of them read about equally often."""

import random


class TooFew(Exception):
    """Not enough versions for so many readings: why, as the end of a sentence."""


def deal(readers, writers, readings, seed):
    """{reader: [writers]}, each with `readings` different ones. Writers who read sit in a ring and read those behind them;
    the others go on round it. So two writers are read equally often, or one of them once more."""
    ring = sorted(set(writers))
    if len(ring) <= readings and set(ring) & set(readers) or len(ring) < readings:
        raise TooFew(f"{readings} readings each need {readings + 1} versions that passed, there {'is' if len(ring) == 1 else 'are'} {len(ring)}")
    draw = random.Random(seed)
    draw.shuffle(ring)
    others = sorted(set(readers) - set(ring))
    draw.shuffle(others)
    found = {who: [ring[(k + turn) % len(ring)] for turn in range(1, readings + 1)] for k, who in enumerate(ring) if who in readers}
    for number, who in enumerate(others):
        found[who] = [ring[(number * readings + turn) % len(ring)] for turn in range(readings)]
    return found
