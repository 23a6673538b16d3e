"""./lab doctor."""

from nbody_lab import ROOT
from nbody_lab.hardware.doctor import lines as doctor_lines


def doctor() -> None:
    """machine, load, compilers, packages on one screen, for your instructor"""
    print("\n".join(doctor_lines(ROOT)))
