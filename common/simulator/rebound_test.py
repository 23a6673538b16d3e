"""REBOUND's IAS15 as referee: the orbits of every scheme end where another code's most exact one ends.

    rebound_test.py PROGRAM_IN_DOUBLE

Without REBOUND it is skipped (status 77).
Rein and Spiegel, Monthly Notices of the RAS 446, 1424 (2015).
"""

import importlib.util
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIPPED = 77
# Scene, its options, time span, the number of steps of a run; then, for each scheme, how far it may end from the
# referee in parts of the extent. Measured: a third of it or less.
CASES = [
    (
        ["--scene", "two-body"],
        4.0,
        800,
        {"kdk": 1e-4, "dkd": 1e-4, "yoshida4": 1.5e-8, "rk4": 4e-10},
    ),
    (
        ["--scene", "figure-eight"],
        2.0,
        800,
        {"kdk": 8e-5, "dkd": 4e-5, "yoshida4": 1e-8, "rk4": 4e-10},
    ),
    (
        ["--scene", "six", "--soft", "0.5"],
        2.0,
        800,
        {"kdk": 3e-6, "dkd": 3e-6, "yoshida4": 2e-9, "rk4": 1e-10},
    ),
]


def bodies_in(file):
    """[[mass, radius, x, y, z, vx, vy, vz]]"""
    words = " ".join(
        line.split("#")[0] for line in Path(file).read_text(encoding="utf-8").splitlines()
    ).split()
    numbers = [float(word) for word in words[1:]]
    return [numbers[k : k + 8] for k in range(0, len(numbers), 8)]


def setting_in(file):
    first = Path(file).read_text(encoding="utf-8").splitlines()[0]
    return {
        key: float(value)
        for key, value in (word.split("=") for word in first.split()[2:] if word[:5] != "integ")
    }


def referee(bodies, setting, span):
    import rebound

    world = rebound.Simulation()
    world.integrator, world.G, world.softening = "ias15", setting["G"], setting["soft"]
    for mass, _, x, y, z, vx, vy, vz in bodies:
        world.add(m=mass, x=x, y=y, z=z, vx=vx, vy=vy, vz=vz)
    world.integrate(span)
    return [(body.x, body.y, body.z) for body in world.particles]


def run(options, span, steps, scheme, folder):
    """(bodies at the start, bodies at the end, setting)"""
    base = Path(folder) / scheme
    subprocess.run(
        [
            PROGRAM,
            *options,
            "--integrator",
            scheme,
            "--dt",
            repr(span / steps),
            "-i",
            str(steps),
            "--every",
            str(steps),
            "-w",
            str(base),
        ],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    start = f"{base}.0.dat"
    return bodies_in(start), bodies_in(f"{base}.{steps}.dat"), setting_in(start)


class Rebound(unittest.TestCase):
    def test_every_scheme_ends_where_the_referee_ends(self):
        for options, span, steps, limits in CASES:
            for scheme, limit in limits.items():
                with (
                    self.subTest(options=options, scheme=scheme),
                    tempfile.TemporaryDirectory() as folder,
                ):
                    start, end, setting = run(options, span, steps, scheme, folder)
                    extent = max(abs(value) for body in start for value in body[2:5])
                    miss = (
                        max(
                            math.dist(body[2:5], there)
                            for body, there in zip(end, referee(start, setting, span))
                        )
                        / extent
                    )
                    print(f"{' '.join(options)} {scheme}: {miss:.1e}")
                    self.assertLess(miss, limit)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop()
    if importlib.util.find_spec("rebound") is None:
        print("skipped: REBOUND is not here (./lab test installs it)")
        sys.exit(SKIPPED)
    unittest.main()
