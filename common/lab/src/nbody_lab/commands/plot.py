"""./lab plot."""

from nbody_lab.core.messages import stop
from nbody_lab.draw import pictures


def plot(_, words):
    if not pictures.can_draw():
        stop(f"nothing here can draw: {pictures.BRING}")
    return pictures.draw(*words)
