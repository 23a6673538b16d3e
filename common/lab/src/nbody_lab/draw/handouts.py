"""The drawings of handouts, hints, solutions and design, each a file of its own: ./lab plot handouts docs/pictures"""

from nbody_lab.draw import (
    draw_dependency_chains,
    draw_house,
    draw_memory_layout,
    draw_ports,
    draw_thread_schedules,
    draw_tiles,
)

DRAWINGS = (
    draw_dependency_chains,
    draw_house,
    draw_memory_layout,
    draw_ports,
    draw_thread_schedules,
    draw_tiles,
)


def sheets():
    return [drawing.draw() for drawing in DRAWINGS]
