"""Makes files like those of ./lab run -w BASE, for tests of pictures."""

import math
import os
import re
import tempfile

from nbody_lab.draw import theme


class RunFolder:
    """A folder with files BASE.<iteration>.dat, until close()."""

    def __init__(self, name="out"):
        self.folder = tempfile.TemporaryDirectory()
        self.base = os.path.join(self.folder.name, name)

    def close(self):
        self.folder.cleanup()

    def write(self, iteration, bodies, head="G=1 soft=0 dt=0.5 mdt=0", names=(), time=None):
        """`bodies`: records of eight numbers."""
        time = 0.5 * iteration if time is None else time
        lines = [f"# nbody-lab: {head} time={time!r}", str(len(bodies))]
        for k, body in enumerate(bodies):
            lines.append(
                " ".join(repr(float(value)) for value in body)
                + (f"  # {names[k]}" if k < len(names) else "")
            )
        with open(f"{self.base}.{iteration}.dat", "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines) + "\n")


def circle(radius, angle, mass=1.0, z=0.0):
    """A record on a circle around the origin."""
    return (
        mass,
        0,
        radius * math.cos(angle),
        radius * math.sin(angle),
        z,
        -math.sin(angle),
        math.cos(angle),
        0,
    )


def strange_colours(svg):
    """Colours outside the theme: they would not follow a dark page."""
    body = re.sub(rb"<style.*?</style>", b"", svg, flags=re.DOTALL).decode()
    return set(re.findall(r"#[0-9a-fA-F]{6}\b", body)) - set(theme.PAPER.values())
