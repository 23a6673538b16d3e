"""Draws the paths of few bodies: in three planes, and in space with their shadows on the floor.

    ./lab run part1 naive --scene six -i 5000 --every 10 -w data/out/six
    draw_orbits.py BASE [BODY]     six: data/out/six_orbits.svg, data/out/six_orbits_in_space.svg

BODY: name or number (from 1) of the body that rests in the middle. Hollow: start, filled: end. A path ends where it leaves the
picture: bodies that go five times as far as any was at the start do not stretch it. Needs ./lab setup --pictures.
"""

import re
import sys
from pathlib import Path

import numpy as np

from nbody_lab.core.errors import LabError

FAR = 5  # times as far as any body was at the start
THINNEST = 0.1  # half of the thinnest side, of the widest


def read_run(base):
    """(first, last time), the bodies' names, their places as (state, body, axis)."""
    files = [(int(file.suffixes[-2][1:]), file) for file in base.parent.glob(f"{base.name}.*.dat")]
    if not files:
        raise LabError(f"{base}.<iteration>.dat: no such file; ./lab run ... -w {base} writes it")
    places, texts = [], []
    for _, file in sorted(files):
        texts.append(file.read_text(encoding="utf-8"))
        places.append(np.loadtxt(file, skiprows=2, ndmin=2)[:, 2:5])
    times = [re.search(r"^# nbody-lab:.*\btime=(\S+)", texts[k]) for k in (0, -1)]
    bodies = [line for line in texts[0].splitlines()[2:] if not line.startswith("#")]
    names = [line.partition("#")[2].strip() or str(k) for k, line in enumerate(bodies, 1)]
    return [float(one[1]) if one else 0.0 for one in times], names, np.array(places)


def limits(places):
    """(low, high) of the box around the bodies that stay, and the start of all."""
    away = np.abs(places - places[0].mean(axis=0)).max(axis=2)
    stays = away.max(axis=0) <= FAR * away[0].max()
    shown = np.concatenate([places[:, stays].reshape(-1, 3), places[0]])
    low, high = shown.min(axis=0), shown.max(axis=0)
    half = np.maximum(0.55 * (high - low), THINNEST * (high - low).max())
    return (low + high) / 2 - half, (low + high) / 2 + half


def draw_path(axes, path, body, name):
    """`path`: (axis, state)."""
    colour = f"C{body % 7}"
    axes.plot(*path, color=colour, marker="", linewidth=1.3, linestyle="-:"[body // 7 % 2])
    point = {"color": colour, "marker": "o", "linestyle": ""}
    axes.plot(*path[:, :1], **point, markersize=6.5, markerfacecolor="white")
    axes.plot(*path[:, -1:], **point, label=name)


def sheets(base, around=""):
    from nbody_lab.draw.sheet import Sheet
    from nbody_lab.draw.theme import QUIET

    times, names, places = read_run(base)
    title = f"{base.name}: orbits of {len(names)} bodies"
    if around:
        if around not in names and not (around.isdigit() and 1 <= int(around) <= len(names)):
            raise LabError(f"{base}: there is no body '{around}'; there are {', '.join(names)}")
        body = names.index(around) if around in names else int(around) - 1
        places, title = places - places[:, body : body + 1], f"{title}, around {names[body]}"
    low, high = limits(places)
    inside = ((places >= low) & (places <= high)).all(axis=2)
    paths = np.where(inside[:, :, None], places, np.nan).transpose(1, 2, 0)
    words = f"time {times[0]:.6g} to {times[1]:.6g}; hollow: start, filled: end"

    (wide, high_up, deep), name = high - low, f"{base.name}_orbits"
    ratios = {"width_ratios": (wide, deep), "height_ratios": (high_up, deep)}
    planes = Sheet(name, title, words, height=860, rows=2, columns=2, layout="compressed", **ratios)
    views = [(0, 1), (2, 1), (0, 2), None]
    for axes, view in zip(planes.all_axes, views):
        if not view:
            axes.remove()
            continue
        for body, name in enumerate(names):
            draw_path(axes, paths[body][list(view)], body, name)
        (x, y), label = view, "xyz"
        axes.set(xlim=(low[x], high[x]), ylim=(low[y], high[y]), aspect="equal")
        axes.set(xlabel=label[x], ylabel=label[y])
    planes.legend_beside(planes.all_axes[1])
    yield planes

    kind = {"projection": "3d", "proj_type": "ortho", "azim": -60, "elev": 24}
    words += "; grey: shadows on the floor"
    name = f"{base.name}_orbits_in_space"
    space = Sheet(name, f"{title}, in space", words, height=580, subplot_kw=kind)
    axes = space.axes
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axes.set(xlabel="x", ylabel="y", zlabel="z")
    axes.set_box_aspect(high - low)
    for body, name in enumerate(names):
        axes.plot(*paths[body][:2], low[2], color=QUIET, marker="", linewidth=0.8)
        draw_path(axes, paths[body], body, name)
    space.legend_beside(axes, bbox_to_anchor=(1.16, 1))
    yield space


def main(arguments):
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    from nbody_lab.draw.sheet import save

    base = Path(arguments[0])
    try:
        for path in save(sheets(base, *arguments[1:]), base.parent, ["svg"]):
            print(f"{path}.svg")
    except (LabError, OSError, ValueError) as fault:
        print(f"draw_orbits: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
