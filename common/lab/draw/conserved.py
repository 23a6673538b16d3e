"""Conserved quantities (docs/physics.md, section 4), with the formulas of common/physics/conserved.cpp."""

from dataclasses import dataclass

import numpy as np

from body_complaints import BadFile

TILE = 256  # bodies: temporary arrays of 512 KiB stay in the cache


@dataclass(frozen=True)
class Conserved:
    """Conserved quantities of one state, in the units of the bodies."""
    energy: float
    momentum: np.ndarray
    angular_momentum: np.ndarray
    momenta: float  # sum of m |v|, the reference for the momentum
    angular_momenta: float  # sum of m |q| |v|


def conserved(state):
    q, v, m = state.places, state.velocities, state.mass
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        speed, distance = np.sqrt((v * v).sum(axis=1)), np.sqrt((q * q).sum(axis=1))
        found = Conserved((m * speed * speed).sum() / 2 + potential_energy(state), m @ v, m @ np.cross(q, v), m @ speed,
                          m @ (distance * speed))
    if not np.isfinite(found.energy):
        raise BadFile(f"{state.file}: the energy is not finite: two bodies are at the same position, or numbers are too large")
    return found


def potential_energy(state):
    """- sum over pairs of G m m / sqrt(r^2 + eps^2), each pair once, tile by tile."""
    n, softening2 = len(state.mass), state.setting["soft"] ** 2
    bodies = np.ascontiguousarray(np.column_stack([state.places, state.mass]).T)
    total = 0.0
    for first in range(0, n, TILE):
        rows = bodies[:, first:first + TILE]
        for other in range(0, first, TILE):
            total += tile_sum(rows, bodies[:, other:other + TILE], softening2)
        total += tile_sum(rows, rows, softening2, below_diagonal=True)
    return -state.setting["G"] * total


def tile_sum(rows, columns, softening2, below_diagonal=False):
    r2 = np.full((rows.shape[1], columns.shape[1]), softening2)
    for axis in range(3):
        d = rows[axis][:, None] - columns[axis]
        d *= d
        r2 += d
    if below_diagonal:
        r2[np.triu_indices(len(r2))] = np.inf  # each pair once, without self-interaction
    np.sqrt(r2, out=r2)
    return rows[3] @ (np.divide(1, r2, out=r2) @ columns[3])
