"""Draws who reads whose version from a seed: never their own, and each about equally often."""

import random


class TooFew(Exception):
    """Too few versions for so many readings; the message ends a sentence."""


def deal(readers, writers, readings, seed):
    """{reader: [writers]}, `readings` different writers for each reader. Writers who read sit in a ring and read the
    next ones; the remaining readers continue around the ring. So no writer is read more than once more often than
    another."""
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
