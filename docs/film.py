"""Makes a film of the states that ./lab run ... -w BASE wrote.

    build/venv/bin/python docs/film.py BASE FILE.gif

Bodies are points of light on a dark sky: blue is slow, orange fast. Light adds up, and is developed like film, so that a
crowded centre turns white. The first picture fits nearly all bodies; the camera goes round slowly.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 432, 288
TILT, TURN = np.radians(52), np.radians(30)  # above the plane of x and y; during the film
DISTANCE, FOCAL = 3.2, 2.4  # of the camera, in sizes of the system
MS = 70  # a picture
SLOW, MIDDLE, FAST = (0.16, 0.36, 1.0), (0.85, 0.82, 0.95), (1.0, 0.48, 0.10)


def read_states(base):
    """Of each state, in order: a row of eight numbers for each body."""
    files = base.parent.glob(f"{base.name}.*.dat")
    in_order = sorted(files, key=lambda file: int(file.suffixes[-2][1:]))
    return [np.loadtxt(file, skiprows=2, ndmin=2) for file in in_order]


def blurred(light, radius):
    """By a bell of this many pixels."""
    offsets = np.arange(-3 * radius, 3 * radius + 1)
    weights = np.exp(-0.5 * (offsets / radius) ** 2)
    for axis in (0, 1):
        light = sum(w * np.roll(light, k, axis) for k, w in zip(offsets, weights / weights.sum()))
    return light


def picture(places, light, yaw):
    """Places in sizes of the system, and red, green and blue of each."""
    cos, sin = np.cos, np.sin
    back = np.array([cos(TILT) * cos(yaw), cos(TILT) * sin(yaw), sin(TILT)])
    right = np.array([-sin(yaw), cos(yaw), 0])
    depth = np.maximum(DISTANCE - places @ back, 0.1)
    across, up = (
        places @ axis * FOCAL * HEIGHT / 2 / depth for axis in (right, np.cross(back, right))
    )
    column, row = (WIDTH / 2 + across).astype(int), (HEIGHT / 2 - up).astype(int)
    inside = (column >= 0) & (column < WIDTH) & (row >= 0) & (row < HEIGHT)
    sky = np.zeros((HEIGHT, WIDTH, 3))
    np.add.at(sky, (row[inside], column[inside]), light[inside])
    developed = 1 - np.exp(-(sky + 4 * blurred(sky, 1) + 4 * blurred(sky, 4)))
    return Image.fromarray((255 * developed).astype(np.uint8)).quantize(
        128, dither=Image.Dither.NONE
    )


def main(base, film):
    states = read_states(Path(base))
    if not states:
        sys.exit(f"film: there is no {base}.0.dat; ./lab run PART NAME ... -w {base} writes it")
    masses, first = states[0][:, 0], states[0][:, 2:5]
    centre = np.average(first, axis=0, weights=masses)
    size = np.quantile(np.linalg.norm(first - centre, axis=1), 0.95)
    low, high = np.quantile(np.linalg.norm(states[0][:, 5:8], axis=1), [0.02, 0.98])
    strength = min(1, 30 / len(masses) ** 0.5) * np.clip(np.cbrt(masses / np.median(masses)), 1, 6)
    pictures = []
    for k, state in enumerate(states):
        speed = (np.linalg.norm(state[:, 5:8], axis=1) - low) / (high - low or 1)
        colours = [np.interp(speed, (0, 0.5, 1), stops) for stops in zip(SLOW, MIDDLE, FAST)]
        light = np.stack(colours, 1) * strength[:, None]
        pictures.append(
            picture((state[:, 2:5] - centre) / size, light, 0.6 + TURN * k / len(states))
        )
    pictures[0].save(film, save_all=True, append_images=pictures[1:], duration=MS, loop=0)
    print(f"{film}: {len(pictures)} pictures of {len(masses)} bodies")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
