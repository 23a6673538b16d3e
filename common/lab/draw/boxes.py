"""The place of texts in pixels, as four corners, so that a rotated text takes only the room that it needs."""

import math

import numpy as np


def corners_of(text, renderer):
    """The actual corners of a text rotated about its anchor; for others those of the bounding box."""
    angle = text.get_rotation()
    if text.get_rotation_mode() != "anchor" or angle % 90 == 0:
        box = text.get_window_extent(renderer)
        return np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    text.set_rotation(0)
    box = text.get_window_extent(renderer)
    text.set_rotation(angle)
    anchor = text.get_transform().transform(text.get_unitless_position())
    upright = np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    return turned(upright, anchor, angle)


def turned(corners, anchor, degrees):
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (corners - anchor) @ np.array([[cos, sin], [-sin, cos]]) + anchor


def box_around(place, width, height):
    """The corners of an upright box centred at `place`."""
    x, y = place
    return np.array([(x - width / 2, y - height / 2), (x + width / 2, y - height / 2), (x + width / 2, y + height / 2), (x - width / 2, y + height / 2)])


def overlap(one, other, allowed=1.0):
    """True if two convex shapes overlap by more than `allowed` pixels, that is if no line separates them."""
    for shape in (one, other):
        for side in np.roll(shape, -1, axis=0) - shape:
            length = math.hypot(*side)
            if not length:
                continue
            across = np.array([-side[1], side[0]]) / length
            ours, theirs = one @ across, other @ across
            if ours.max() < theirs.min() + allowed or theirs.max() < ours.min() + allowed:
                return False
    return True
