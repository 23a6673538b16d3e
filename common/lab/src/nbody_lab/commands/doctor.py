"""./lab doctor."""

from nbody_lab import ROOT
from nbody_lab.measure.doctor import report


def doctor() -> None:
    """machine, load, compilers, packages on one screen, for your instructor"""
    print("\n".join(report(ROOT)))
