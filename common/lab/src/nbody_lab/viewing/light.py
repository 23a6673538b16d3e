"""Pictures of bodies as points of light, by numpy: additive, and developed like film. The page (common/view) draws the
same with WebGL."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

FOCAL = 2.4  # half the height of the picture spans 1 / FOCAL at a distance of 1
SLOW, MIDDLE, FAST = (0.16, 0.36, 1.0), (0.85, 0.82, 0.95), (1.0, 0.48, 0.10)
_CORE = (2.4, 1.6, 1.9, 6)  # light, fall over squared radii, radii that it reaches, most pixels
_HALO = (0.17, 0.16, 4.4, 4)
_RIM = 8  # pixels around the film, for what lies across its edge
_LONGEST_TRAIL, _MOST_TRAILS, _MOST_PLACES = 400, 1500, 120_000


def share_of(bodies: int, power: float) -> float:
    """Many bodies are small and faint, few are large: the picture is as bright."""
    return float(min(1.6, max(0.1, (1000 / bodies) ** power)))


def sizes_of(masses: Floats) -> Floats:
    """The radius of each body, in sizes of the system."""
    relative = np.cbrt(masses / np.median(masses))
    sizes: Floats = 0.0095 * share_of(len(masses), 0.3) * np.clip(relative, 0.6, 3.5)
    return sizes


class Palette:
    """A number from 0 to 1 for the colour of each body. 0 and 1 are the slowest and fastest but for some outliers, and
    change slowly, so that colours do not flicker."""

    def __init__(self) -> None:
        self._range: Floats | None = None

    def values(self, amounts: Floats, logarithmic: bool) -> Floats:
        if logarithmic:
            amounts = np.log(np.maximum(amounts, 1e-30))
        now = np.quantile(amounts, [0.02, 0.98], method="higher")
        self._range = now if self._range is None else self._range + 0.05 * (now - self._range)
        low, high = self._range
        if not high > low:
            return np.full(len(amounts), 0.5, np.float32)
        values: Floats = np.clip((amounts - low) / (high - low), 0, 1).astype(np.float32)
        return values


@dataclass(frozen=True)
class Camera:
    """Looks at the centre from a distance, z upwards. Tilt 0: from the plane of x and y; pi/2: from above."""

    yaw: float = 0.6
    tilt: float = 0.9
    distance: float = 2.7

    def turned(self, angle: float) -> "Camera":
        return replace(self, yaw=self.yaw + angle)

    @cached_property
    def _axes(self) -> Floats:
        """To the right, up, and from the centre to the camera."""
        cos, sin = np.cos, np.sin
        back = np.array(
            [
                cos(self.tilt) * cos(self.yaw),
                cos(self.tilt) * sin(self.yaw),
                sin(self.tilt),
            ]
        )
        right = np.array([-sin(self.yaw), cos(self.yaw), 0])
        return np.stack([right, np.cross(back, right), back]).astype(np.float32)

    def place(self, points: Floats, width: int, height: int) -> tuple[Floats, Floats, Floats]:
        """(x, y, depth) of points (n x 3) in a panel of this many pixels; y grows downwards."""
        right, up, back = (points @ axis for axis in self._axes)
        depth = np.float32(self.distance) - back
        scale = np.float32(FOCAL * height / 2 * min(1, width / height)) / np.maximum(depth, 1e-6)
        return width / 2 + scale * right, height / 2 - scale * up, depth


def _colours(values: Floats) -> Floats:
    """Blue, white, orange: from slow to fast."""
    stops = np.array([SLOW, MIDDLE, FAST], np.float32)
    return np.stack([np.interp(values, (0, 0.5, 1), stop) for stop in stops.T], 1).astype(
        np.float32
    )


class Film:
    """Light that falls on a panel: exact where it is sharp, at half, a quarter ... of the resolution where it is wide."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._levels: dict[int, Floats] = {}

    def _level(self, level: int) -> Floats:
        """Red, green and blue of the film at 1/2^level of the resolution, with a rim for what lies across its edge."""
        if level not in self._levels:
            sides = [(-(-side >> level)) + 2 * _RIM for side in (self.height, self.width)]
            self._levels[level] = np.zeros((3, *sides), np.float32)
        return self._levels[level]

    def add_bodies(self, x: Floats, y: Floats, radius: Floats, light: Floats, glow: bool) -> None:
        """Light: n x 3."""
        for strength, fall, radii, most in (_CORE, _HALO) if glow else (_CORE,):
            levels = np.ceil(np.log2(np.maximum(radius * radii / most, 1))).astype(int)
            scaled = radius * np.float32(0.5) ** levels
            reaches = np.ceil(radii * scaled).astype(int)
            kinds = levels * 64 + reaches
            for kind in np.unique(kinds):
                level, reach = divmod(int(kind), 64)
                chosen = kinds == kind
                self._splat(
                    level,
                    reach,
                    x[chosen] * 0.5**level - 0.5,
                    y[chosen] * 0.5**level - 0.5,
                    (fall / scaled[chosen] ** 2).astype(np.float32),
                    light[chosen] * np.float32(strength),
                )

    def _expose(self, level: int, places: NDArray[np.integer], light: Floats) -> None:
        """Light (3 x n) on n pixels."""
        for image, amounts in zip(self._level(level).reshape(3, -1), light):
            np.add.at(image, places, amounts)

    def _splat(
        self, level: int, reach: int, x: Floats, y: Floats, fall: Floats, light: Floats
    ) -> None:
        """Light that falls off from each place, on 2 reach + 1 pixels in both directions."""
        _, rows, columns = self._level(level).shape
        column, row = np.rint(x).astype(np.int64) + _RIM, np.rint(y).astype(np.int64) + _RIM
        inside = (column >= reach) & (column < columns - reach)
        inside &= (row >= reach) & (row < rows - reach)
        x, y, column, row = x[inside], y[inside], column[inside], row[inside]
        fall, light = fall[inside, None], light[inside]
        offsets = np.arange(-reach, reach + 1)
        from_x = (column - _RIM - x).astype(np.float32)[:, None] + offsets.astype(np.float32)
        from_y = (row - _RIM - y).astype(np.float32)[:, None] + offsets.astype(np.float32)
        across, down = np.exp(-fall * from_x**2), np.exp(-fall * from_y**2)
        weights = down[:, :, None] * across[:, None, :]
        around = offsets[:, None] * columns + offsets
        places = (row * columns + column)[:, None, None] + around
        self._expose(level, places.ravel(), (weights * light.T[:, :, None, None]).reshape(3, -1))

    def add_points(self, x: Floats, y: Floats, light: Floats) -> None:
        """Light on one pixel each."""
        columns = self._level(0).shape[2]
        column, row = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
        inside = (column >= 0) & (column < self.width) & (row >= 0) & (row < self.height)
        places = (row[inside] + _RIM) * columns + column[inside] + _RIM
        self._expose(0, places, light[inside].T)

    def light(self) -> Floats:
        """Red, green and blue (3 x height x width)."""
        self._level(0)
        for level in range(max(self._levels), 0, -1):
            if level in self._levels:
                _add_enlarged(self._level(level - 1), self._levels.pop(level))
        return self._levels[0][:, _RIM : _RIM + self.height, _RIM : _RIM + self.width]


def _add_enlarged(fine: Floats, coarse: Floats) -> None:
    """Adds an image twice as large, by linear interpolation. The rims are equally wide, so half of the coarse one's is
    cut off."""
    large = _twice(_twice(coarse, 1), 2)[:, _RIM:, _RIM:]
    rows, columns = (min(a, b) for a, b in zip(fine.shape[1:], large.shape[1:]))
    fine[:, :rows, :columns] += large[:, :rows, :columns]


def _twice(image: Floats, axis: int) -> Floats:
    """Every pixel becomes two, 1/4 before and after its middle."""
    large = np.repeat(0.75 * image, 2, axis)
    quarter = 0.25 * image
    first, second = np.moveaxis(large, axis, 0)[2::2], np.moveaxis(large, axis, 0)[1:-1:2]
    first += np.moveaxis(quarter, axis, 0)[:-1]
    second += np.moveaxis(quarter, axis, 0)[1:]
    return large


class Trails:
    """Fading lines behind the bodies, or behind some hundred of them if there are many."""

    def __init__(self) -> None:
        self._places: list[Floats] = []
        self._values: list[Floats] = []

    def add(self, points: Floats, values: Floats) -> None:
        stride = -(-len(points) // _MOST_TRAILS)
        self._places.append(points[::stride])
        self._values.append(values[::stride])
        most = min(_LONGEST_TRAIL, _MOST_PLACES // len(self._places[0]))
        del self._places[:-most], self._values[:-most]

    def draw(self, film: Film, camera: Camera) -> None:
        if len(self._places) < 2:
            return
        points = np.stack(self._places)
        states, bodies, _ = points.shape
        x, y, depth = camera.place(points.reshape(-1, 3), film.width, film.height)
        x, y, depth = (column.reshape(states, bodies) for column in (x, y, depth))
        age = (np.arange(1, states + 1, dtype=np.float32) / states)[:, None]
        value = np.stack(self._values)[..., None]
        strength = np.float32(min(0.7, max(0.05, 5 / bodies**0.5)))
        ends = np.array([SLOW, FAST], np.float32)
        light = (ends[0] + (ends[1] - ends[0]) * value) * (strength * age * age)[..., None]
        visible = (np.minimum(depth[:-1], depth[1:]) > camera.distance / 100).ravel()
        start = [column[:-1].ravel()[visible] for column in (x, y)]
        along = [np.diff(column, axis=0).ravel()[visible] for column in (x, y)]
        length = np.ceil(np.maximum(abs(along[0]), abs(along[1])))
        pixels = np.clip(length, 1, 2 * max(film.width, film.height)).astype(int)
        of = np.repeat(np.arange(len(pixels)), pixels)
        first = np.repeat(np.cumsum(pixels) - pixels, pixels)
        share = ((np.arange(len(of)) - first) / pixels[of]).astype(np.float32)
        film.add_points(
            start[0][of] + share * along[0][of],
            start[1][of] + share * along[1][of],
            light[1:].reshape(-1, 3)[visible][of],
        )


def draw_bodies(
    film: Film, camera: Camera, points: Floats, sizes: Floats, values: Floats, glow: bool
) -> None:
    x, y, depth = camera.place(points, film.width, film.height)
    pixels = FOCAL * film.height / 2
    radius = sizes * pixels / np.maximum(depth, 1e-6)
    shown = np.clip(radius, 0.9, 0.014 * pixels)  # to be seen, and to hide nothing
    fainter = 0.1 + 0.9 * np.minimum(1, radius / shown) ** 1.5
    light = _colours(values) * (fainter * min(1, share_of(len(points), 0.4)))[:, None]
    visible = (depth > camera.distance / 100) & np.isfinite(x) & np.isfinite(y)
    film.add_bodies(x[visible], y[visible], shown[visible], light[visible].astype(np.float32), glow)


def develop(light: Floats, panels: int) -> NDArray[np.uint8]:
    """Light as a picture (3 x height x width): bright light turns white and is never clipped."""
    picture = np.exp(-1.3 * light)
    picture *= _darkness(*light.shape[1:], panels)
    np.subtract(255.5, picture, out=picture)
    return picture.astype(np.uint8)


@lru_cache(maxsize=1)
def _darkness(height: int, width: int, panels: int) -> Floats:
    """255 minus the sky, which is a little lighter in the middle of each panel."""
    across = ((np.arange(width) + 0.5) / width * panels) % 1 - 0.5
    down = (np.arange(height) + 0.5) / height - 0.5
    edge = np.minimum(1, 1.6 * np.hypot(down[:, None], across[None, :]))
    middle, rim = np.array([0.030, 0.038, 0.072]), np.array([0.008, 0.010, 0.020])
    sky = middle[:, None, None] + (rim - middle)[:, None, None] * edge
    if panels > 1:
        sky[:, :, width // 2 - 1 : width // 2 + 1] = np.array([0.20, 0.23, 0.32])[:, None, None]
    darkness: Floats = (255 * (1 - sky)).astype(np.float32)
    return darkness
