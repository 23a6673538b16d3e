"""The files of small runs, as ./lab run -w writes them."""

import math
from pathlib import Path


class RunFolder:
    """The files BASE.<iteration>.dat of a run."""

    def __init__(self, folder, name="out"):
        self.folder, self.base = Path(folder), Path(folder) / name

    def write(self, iteration, bodies, head="G=1 soft=0 dt=0.5 mdt=0", names=(), time=None):
        """`bodies`: records of eight numbers."""
        time = 0.5 * iteration if time is None else time
        lines = [f"# nbody-lab: {head} time={time!r}", str(len(bodies))]
        for k, body in enumerate(bodies):
            name = f"  # {names[k]}" if k < len(names) else ""
            lines.append(" ".join(repr(float(value)) for value in body) + name)
        file = Path(f"{self.base}.{iteration}.dat")
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def write_circles(self, count, states=(0, 5)):
        for k in states:
            bodies = [circle(1 + j % 7, j + k / 9, 1, 0.01 * (j % 11)) for j in range(count)]
            self.write(k, bodies)

    def write_planets(self, tilt=0.0):
        """Sun, Earth and Moon over 38 days, in SI units."""
        for day in range(0, 40, 2):
            earth = circle(1.5e11, day / 58, 6e24)
            moon = list(circle(4e8, day / 4.3, 7e22, tilt * 4e8 * math.sin(day / 4.3)))
            moon[2:4] = [earth[2] + moon[2], earth[3] + moon[3]]
            bodies = [(2e30, 0, 0, 0, 0, 0, 0, 0), earth, moon]
            names = ["Sun", "Earth", "Moon"]
            self.write(day, bodies, "G=6.67384e-11 dt=86400", names, 86400.0 * day)

    def write_escape(self, count=4, leaving=1, far=100):
        """The first ones leave the others."""
        for k in range(9):
            radii = [1 if j >= leaving else 1 + k * far / 8 for j in range(count)]
            bodies = [circle(radii[j], j + k / 2, 1, 0.3 * (j % 3)) for j in range(count)]
            self.write(k, bodies)

    def write_tilted(
        self, count=3, far=1.0, head="G=1 dt=0.5 integrator=kdk damping=0.99", names=()
    ):
        for k in range(9):
            heights = [0.4 * far * (-1) ** (j + k // 4) for j in range(count)]
            bodies = [circle(far * (1 + j), j + k / 2, 1, heights[j]) for j in range(count)]
            self.write(k, bodies, head, names)


def circle(radius, angle, mass=1.0, z=0.0):
    """A record on a circle around the origin."""
    cos, sin = math.cos(angle), math.sin(angle)
    return (mass, 0, radius * cos, radius * sin, z, -sin, cos, 0)
