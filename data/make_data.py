#!/usr/bin/env python3
"""Makes data/in/*.dat from the tables below.

python3 data/make_data.py           writes the files
python3 data/make_data.py --check   compares them with what is there; exit status 1 if one differs

Only the standard library, no random module: the same bytes on every machine. data/README.md cites
every source in full.
"""

import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "in"
G = 6.67384e-11  # the lab's constant, m^3 kg^-1 s^-2
AU = 149597870700.0  # m, IAU 2012 Resolution B2
DAY = 86400.0  # s

# name: (GM in km^3/s^2, mean radius in km)
# GM: DE440, Park et al. (2021). From Mars outwards it is that of the planet with its
# moons. Radii: Archinal et al. (2018); the Sun's is the nominal one of IAU 2015 Resolution B3.
BODIES = {
    "Sun": (132712440041.279419, 695700),
    "Mercury": (22031.868551, 2439.4),
    "Venus": (324858.592, 6051.8),
    "Earth": (398600.435507, 6371.0084),
    "Moon": (4902.800118, 1737.4),
    "Mars": (42828.375816, 3389.50),
    "Jupiter": (126712764.1, 69911),
    "Saturn": (37940584.8418, 58232),
    "Uranus": (5794556.4, 25362),
    "Neptune": (6836527.10058, 24622),
}

# Standish and Williams, Keplerian elements for approximate positions of the major planets, table 1
# (valid 1800-2050), values at J2000.0, ecliptic and equinox of J2000.0:
# a in au, e, inclination, mean longitude, longitude of perihelion, longitude of the node in degrees
PLANETS = {
    "Mercury": (0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593),
    "Venus": (0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255),
    "Earth-Moon": (1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0),
    "Mars": (1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891),
    "Jupiter": (5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909),
    "Saturn": (9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448),
    "Uranus": (19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503),
    "Neptune": (30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574),
}

# JPL, Planetary Satellite Mean Elements, epoch J2000.0, ecliptic, from DE405/LE405:
# a in km, e, argument of perigee, mean anomaly, inclination, node in degrees; about the Earth
MOON = (384400.0, 0.0554, 318.15, 135.27, 5.16, 125.08)

# Chenciner and Montgomery (2000), initial values computed by Simo; G = 1, three masses of 1.
EIGHT_POSITION = (0.97000436, -0.24308753)
EIGHT_VELOCITY = (-0.93240737, -0.86473146)


def rotated(x, y, argument, inclination, node):
    """From the orbit's plane (x towards the nearest point) to the ecliptic; angles in degrees."""
    w, i, o = (math.radians(angle) for angle in (argument, inclination, node))
    u = x * math.cos(w) - y * math.sin(w)
    v = x * math.sin(w) + y * math.cos(w)
    return (
        u * math.cos(o) - v * math.sin(o) * math.cos(i),
        u * math.sin(o) + v * math.cos(o) * math.cos(i),
        v * math.sin(i),
    )


def kepler_state(gm, a, e, argument, mean_anomaly, inclination, node):
    """Position and velocity on a Kepler orbit, in the units of gm and a."""
    mean = math.radians(math.remainder(mean_anomaly, 360.0))
    eccentric = mean
    for _ in range(20):  # Newton's method on Kepler's equation; 5 steps would do
        error = eccentric - e * math.sin(eccentric) - mean
        eccentric -= error / (1 - e * math.cos(eccentric))
    cosine, sine, root = math.cos(eccentric), math.sin(eccentric), math.sqrt(1 - e * e)
    rate = math.sqrt(gm / a) / (1 - e * cosine)
    return (
        rotated(a * (cosine - e), a * root * sine, argument, inclination, node),
        rotated(-rate * sine, rate * root * cosine, argument, inclination, node),
    )


def gm_of(name):
    return BODIES[name][0] * 1e9  # m^3/s^2


def planet_state(name, gm_planet):
    a, e, inclination, longitude, perihelion, node = PLANETS[name]
    return kepler_state(
        gm_of("Sun") + gm_planet,
        a * AU,
        e,
        perihelion - node,
        longitude - perihelion,
        inclination,
        node,
    )


def earth_and_moon():
    """The table's orbit is that of their centre of mass; each moves about it in proportion to the other's mass."""
    earth, moon = gm_of("Earth"), gm_of("Moon")
    centre = planet_state("Earth-Moon", earth + moon)
    a, e, argument, anomaly, inclination, node = MOON
    orbit = kepler_state(earth + moon, a * 1e3, e, argument, anomaly, inclination, node)
    shares = {"Earth": -moon / (earth + moon), "Moon": earth / (earth + moon)}
    return {
        name: [[c + share * d for c, d in zip(*pair)] for pair in zip(centre, orbit)]
        for name, share in shares.items()
    }


def solar_bodies(names):
    """Bodies at J2000.0 relative to their common centre of mass, in SI units."""
    states = {"Sun": ([0.0] * 3, [0.0] * 3), **earth_and_moon()}
    for name in PLANETS:
        if name != "Earth-Moon":
            states[name] = planet_state(name, gm_of(name))
    total = math.fsum(gm_of(name) for name in names)
    centre = [
        [
            math.fsum(gm_of(name) * states[name][part][axis] for name in names) / total
            for axis in range(3)
        ]
        for part in range(2)
    ]
    bodies = []
    for name in names:
        position, velocity = (
            [s - c for s, c in zip(states[name][part], centre[part])] for part in range(2)
        )
        bodies.append((name, gm_of(name) / G, BODIES[name][1] * 1e3, *position, *velocity))
    return bodies


def random_numbers(state):
    """Marsaglia's xorshift64 (2003), shifts 13, 7, 17; the upper 53 bits as a number in [0, 1)."""
    while True:
        state ^= (state << 13) & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 7
        state ^= (state << 17) & 0xFFFFFFFFFFFFFFFF
        yield (state >> 11) / 9007199254740992.0


def galaxy_bodies(count):
    """Light bodies on near-circular orbits in a thin disk around a heavy one.

    Evenly spread over the distances 2e8 to 1e9 m, so that the disk's mass within r grows linearly.
    Only + - * / and sqrt, which round alike everywhere; directions by rejection, not sin and cos.
    """
    numbers = random_numbers(88172645463325252)
    centre, disk = 2e24, 4e22
    bodies = [("", centre, 4.57e6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)]
    while len(bodies) < count:
        x, y = 2 * next(numbers) - 1, 2 * next(numbers) - 1
        length = math.sqrt(x * x + y * y)
        if not 0.1 < length <= 1:
            continue
        mass = (0.5 + next(numbers)) * disk / (count - 1)
        share = next(numbers)
        r = 2e8 + 8e8 * share
        speed = math.sqrt(G * (centre + disk * share) / r)
        height = (2 * next(numbers) - 1) * 1e7
        x, y = x / length, y / length
        # 7.3e4 m: a rock of the mean mass; the radius only matters to a picture.
        bodies.append(("", mass, 7.3e4, x * r, y * r, height, -y * speed, x * speed, 0.0))
    return without_momentum(bodies)


def without_momentum(bodies):
    """Subtracts the mass-weighted mean velocity: chance leaves a disk 1.6 % of the sum of m v."""
    total = math.fsum(body[1] for body in bodies)
    mean = [math.fsum(body[1] * body[axis] for body in bodies) / total for axis in (6, 7, 8)]
    return [(*body[:6], *(v - m for v, m in zip(body[6:], mean))) for body in bodies]


def plane(*bodies):
    """mass qx qy vx vy -> a full record, radius 1/16."""
    return [("", m, 0.0625, x, y, 0.0, vx, vy, 0.0) for m, x, y, vx, vy in bodies]


def lagrange_bodies():
    height, omega = math.sqrt(3) / 2, math.sqrt(1 / math.sqrt(3))
    corners = ((1.0, 0.0), (-0.5, height), (-0.5, -height))
    return plane(*((1.0, x, y, -omega * y, omega * x) for x, y in corners))


def eight_bodies():
    (x, y), (vx, vy) = EIGHT_POSITION, EIGHT_VELOCITY
    return plane(
        (1.0, x, y, -vx / 2, -vy / 2), (1.0, -x, -y, -vx / 2, -vy / 2), (1.0, 0.0, 0.0, vx, vy)
    )


def number(value, digits):
    """The shortest form with at most this many digits: 5e+06 becomes 5e6, -0 becomes 0."""
    text = min(repr(value + 0.0), f"{value + 0.0:.{digits}g}", key=len)
    mantissa, _, exponent = text.partition("e")
    return mantissa + (f"e{int(exponent)}" if exponent else "")


def file_text(comments, bodies, digits, G=G, soft=0.0, dt=3600.0, mdt=200.0):
    setting = (("G", G), ("soft", soft), ("dt", dt), ("mdt", mdt), ("time", 0.0))
    lines = ["# nbody-lab: " + " ".join(f"{key}={number(value, 17)}" for key, value in setting)]
    lines += [f"# {comment}" for comment in comments]
    lines += ["# mass radius qx qy qz vx vy vz", str(len(bodies))]
    for name, *values in bodies:
        record = " ".join(number(value, digits) for value in values)
        lines.append(f"{record}  # {name}" if name else record)
    return "\n".join(lines) + "\n"


def files():
    j2000 = "J2000.0, relative to the centre of mass, ecliptic plane; kg, m, m/s."
    unit = {"G": 1.0, "dt": 1e-3, "mdt": 1e-6}
    # 13 digits: below a millimetre at 1 au, and above what libraries' sin and cos disagree about.
    return {
        "solar_system.dat": file_text(
            ["Sun, eight planets and the Moon at " + j2000], solar_bodies(list(BODIES)), 13
        ),
        "8bodies.dat": file_text(
            ["Sun, planets out to Saturn and the Moon at " + j2000],
            solar_bodies([name for name in BODIES if name not in ("Uranus", "Neptune")]),
            13,
        ),
        "earth_moon_sun.dat": file_text(
            ["Sun, Earth and Moon at " + j2000], solar_bodies(["Sun", "Earth", "Moon"]), 13
        ),
        "two_body.dat": file_text(
            [
                "Two bodies on circles about their centre of mass, G = 1, distance 1, period 2 pi.",
                "Every number is exact in binary.",
            ],
            plane((0.75, -0.25, 0.0, 0.0, -0.25), (0.25, 0.75, 0.0, 0.0, 0.75)),
            17,
            G=1.0,
            dt=2.0**-10,
            mdt=2.0**-20,
        ),
        "lagrange.dat": file_text(
            [
                "Lagrange's triangle: three equal masses turn rigidly, G = 1, period 8.2691.",
                "Unstable: a rounding error grows with each turn.",
            ],
            lagrange_bodies(),
            17,
            **unit,
        ),
        "figure_eight.dat": file_text(
            ["Three equal masses chase each other on an eight, G = 1, period 6.3259."],
            eight_bodies(),
            13,
            **unit,
        ),
        "galaxy_5000.dat": file_text(
            ["A disk of 4999 light bodies around one of 2e24 kg; kg, m, m/s."],
            galaxy_bodies(5000),
            6,
            soft=5e6,
            dt=1800.0,
        ),
    }


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: make_data.py [--check]")
    wrong = []
    for name, text in files().items():
        path = FOLDER / name
        if sys.argv[1:]:
            if not path.is_file() or path.read_bytes() != text.encode("ascii"):
                wrong.append(name)
        else:
            FOLDER.mkdir(exist_ok=True)
            path.write_bytes(text.encode("ascii"))
    extra = sorted(path.name for path in FOLDER.glob("*.dat") if path.name not in files())
    if wrong or extra:
        sys.exit(
            f"differs from what make_data.py makes: {', '.join(wrong + extra)}; "
            "run python3 data/make_data.py and commit the result"
        )


if __name__ == "__main__":
    main()
