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

SKIPPED, STEPS = 77, 800
# Options of the scene, time span; then, for each scheme, how far it may end from the referee in parts of the extent.
# Measured: a third of it or less.
CASES = [
    ("--scene two-body", 4, {"kdk": 1e-4, "dkd": 1e-4, "yoshida4": 1.5e-8, "rk4": 4e-10}),
    ("--scene figure-eight", 2, {"kdk": 8e-5, "dkd": 4e-5, "yoshida4": 1e-8, "rk4": 4e-10}),
    ("--scene six --soft 0.5", 2, {"kdk": 3e-6, "dkd": 3e-6, "yoshida4": 2e-9, "rk4": 1e-10}),
]


def bodies_in(file):
    """[[mass, radius, x, y, z, vx, vy, vz]], and the setting in the first line."""
    with open(file, encoding="utf-8") as lines:
        first, *others = lines
    words = " ".join(line.split("#")[0] for line in others).split()
    numbers = [float(word) for word in words[1:]]
    setting = dict(word.split("=") for word in first.split()[2:])
    return [numbers[k : k + 8] for k in range(0, len(numbers), 8)], setting


def referee(bodies, setting, span):
    import rebound

    world = rebound.Simulation()
    world.integrator, world.G, world.softening = (
        "ias15",
        float(setting["G"]),
        float(setting["soft"]),
    )
    for mass, _, x, y, z, vx, vy, vz in bodies:
        world.add(m=mass, x=x, y=y, z=z, vx=vx, vy=vy, vz=vz)
    world.integrate(span)
    return [(body.x, body.y, body.z) for body in world.particles]


class Rebound(unittest.TestCase):
    def test_every_scheme_ends_where_the_referee_ends(self):
        for options, span, limits in CASES:
            for scheme, limit in limits.items():
                words = f"{options} --integrator {scheme} --dt {span / STEPS!r} -i {STEPS}"
                with self.subTest(words), tempfile.TemporaryDirectory() as folder:
                    argv = [PROGRAM, *words.split(), "--every", str(STEPS), "-w", f"{folder}/x"]
                    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
                    start, setting = bodies_in(f"{folder}/x.0.dat")
                    end, _ = bodies_in(f"{folder}/x.{STEPS}.dat")
                    extent = max(abs(value) for body in start for value in body[2:5])
                    there = referee(start, setting, span)
                    miss = max(math.dist(body[2:5], q) for body, q in zip(end, there)) / extent
                    print(f"{options} {scheme}: {miss:.1e}")
                    self.assertLess(miss, limit)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop()
    if importlib.util.find_spec("rebound") is None:
        print("skipped: REBOUND is not here (./lab test installs it)")
        sys.exit(SKIPPED)
    unittest.main()
