"""The options of every implementation program, so that ./lab run, view and record refuse a wrong one before they build.

The programs parse and explain them, too (common/simulator/command_line.cpp); a test compares the two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from nbody_lab.core.messages import UserError
from nbody_lab.core.words import nearest


class Takes(Enum):
    """What follows an option."""

    NOTHING = ""
    TEXT = "a value"
    WHOLE = "a whole number"
    NUMBER = "a number"


@dataclass(frozen=True)
class SimulationOption:
    metavar: str
    help: str
    takes: Takes = Takes.TEXT
    choices: Mapping[str, str] = field(default_factory=dict)  # name: what it means


SCENES = {
    "random": "bodies of up to 5e21 kg anywhere in a box, slow",
    "galaxy": "a thin disk of light bodies around a heavy one",
    "collision": "two disk galaxies pass and draw tails, G = 1; -i 500",
    "plummer": "a star cluster in equilibrium, G = 1, N-body units",
    "two-body": "two bodies on ellipses, period 2 pi, G = 1",
    "lagrange": "three equal masses on a rotating triangle, G = 1",
    "figure-eight": "three equal masses chase each other on an eight, G = 1",
    "six": "six heavy bodies, or -n N, in close encounters, G = 1",
}
INTEGRATORS = {
    "eq45": "Eq. 4 and 5: the lab's own (default)",
    "euler": "explicit Euler: everything with the old values",
    "semi-implicit": "Euler, but drift with the new velocity",
    "kdk": "leapfrog, kick-drift-kick (velocity Verlet)",
    "kdk-symmetric": "kdk; with --vdt the step is the same from both ends",
    "dkd": "leapfrog, drift-kick-drift (position Verlet)",
    "yoshida4": "fourth order: three leapfrogs, one backwards",
    "rk4": "the classical Runge-Kutta method, fourth order",
    "hermite4": "fourth order: predict and correct by the jerk",
}

_Option, _WHOLE, _NUMBER, _NOTHING = SimulationOption, Takes.WHOLE, Takes.NUMBER, Takes.NOTHING
SIMULATION_OPTIONS = {
    "-f": _Option("FILE", "bodies from a body file"),
    "-n": _Option("N", "number of bodies to generate", _WHOLE),
    "--scene": _Option("NAME", "generated initial conditions:", choices=SCENES),
    "--seed": _Option("K", "random seed of the scene (default 1)", _WHOLE),
    "--box": _Option("L", "scene six fills the cube from -L to L (default 5)", _NUMBER),
    "-i": _Option("ITERATIONS", "time steps to compute", _WHOLE),
    "--dt": _Option("S", "time step (default 3600 s, or the scene's)", _NUMBER),
    "--vdt": _Option("", "adaptive time step (Eq. 7)", _NOTHING),
    "--mdt": _Option("S", "smallest adaptive time step (default 200, or the scene's)", _NUMBER),
    "--soft": _Option("EPS", "softening length, m (default 0, or the scene's)", _NUMBER),
    "--G": _Option("X", "gravitational constant (default 6.67384e-11, or the scene's)", _NUMBER),
    "--integrator": _Option("NAME", "how a time step is computed:", choices=INTEGRATORS),
    "--damping": _Option(
        "D", "each step multiplies velocities by D, 0 to 1 (default 1: no damping)", _NUMBER
    ),
    "--precision": _Option("P", "float (default) or double"),
    "--threads": _Option("T", "OpenMP threads (default OMP_NUM_THREADS, or all cores)", _WHOLE),
    "-v": _Option(
        "", "one line per iteration; steps run one by one, slower with few bodies", _NOTHING
    ),
    "-w": _Option("BASE", "write the bodies to BASE.<iteration>.dat"),
    "--every": _Option(
        "K", "with -w or --log: every K-th iteration (default 1), and the last", _WHOLE
    ),
    "--log": _Option("FILE", "energy, momenta, smallest distance ... of each iteration as CSV"),
    "--json": _Option("FILE", "write the summary as JSON"),
    "--nv": _Option("", "no visualisation: ./lab run shows no page", _NOTHING),
    "--version": _Option("", "Display program version information and exit", _NOTHING),
    "--serve": _Option("", "answer requests on standard input (docs/protocol.md); alone", _NOTHING),
}
# Only some implementations take these; each explains its own.
OPTIONS_OF_SOME = {
    "--block": _Option("K", "threads per block (part 3)", _WHOLE),
    "--unroll": _Option("K", "unroll factor (parts 2 and 3)", _WHOLE),
    "--grid": _Option("B", "blocks of a grid-stride loop at most (part 3)", _WHOLE),
    "--profile": _Option("", "part 3: time by kernel and copies; part 4: messages", _NOTHING),
}


@dataclass(frozen=True)
class Given:
    """What was typed: the words for the program, and the value of each option ("" if it takes none)."""

    argv: tuple[str, ...]
    values: Mapping[str, str]

    def has(self, *names: str) -> bool:
        return any(name in self.values for name in names)

    def in_double(self) -> bool:
        return "double" in self.values.get("--precision", "")


def _check_value(command: str, name: str, option: SimulationOption, value: str | None) -> None:
    if value is None or not value:
        raise UserError(
            f"{command}: {name} needs {option.takes.value} after it: {name} {option.metavar}"
        )
    if option.takes is Takes.WHOLE and not value.isdecimal():
        raise UserError(f"{command}: {name} needs a whole number, not '{value}'")
    if option.takes is Takes.NUMBER:
        try:
            float(value)
        except ValueError:
            raise UserError(f"{command}: {name} needs a number, not '{value}'") from None
    if option.choices and value not in option.choices:
        near = nearest(value, option.choices) or f"; there are {', '.join(option.choices)}"
        raise UserError(f"{command}: {name} does not know '{value}'{near}")


def _split(word: str, known: Mapping[str, SimulationOption]) -> tuple[str, str | None]:
    """(option, value) of --dt=5, -n5 or -n=5; the value is None if none is attached."""
    if word.startswith("--") and "=" in word:
        name, _, value = word.partition("=")
        return name, value
    if word[:2] in known and len(word) > 2 and not word.startswith("--"):
        return word[:2], word[2:].removeprefix("=")
    return word, None


def take_options(
    command: str, argv: Sequence[str], known: Mapping[str, SimulationOption]
) -> tuple[Given, list[str]]:
    """What was typed of these options, and the words that are left. Raises UserError for a wrong value."""
    taken: list[str] = []
    left: list[str] = []
    values: dict[str, str] = {}
    rest = iter(argv)
    for word in rest:
        name, value = _split(word, known)
        if name not in known:
            left.append(word)
            continue
        if known[name].takes is Takes.NOTHING:
            if value is not None:
                raise UserError(f"{command}: {name} takes no value, so no '{value}'")
            taken.append(name)
        else:
            value = next(rest, None) if value is None else value
            _check_value(command, name, known[name], value)
            taken += [name, str(value)]
        values[name] = value or ""
    return Given(tuple(taken), values), left


def option_rows(options: Mapping[str, SimulationOption]) -> list[tuple[str, str]]:
    """(words, explanation) of each, for a help."""
    rows = []
    for name, option in options.items():
        rows.append((f"{name} {option.metavar}".strip(), option.help))
        rows += [("", f"{choice:<14}{what}") for choice, what in option.choices.items()]
    return rows
