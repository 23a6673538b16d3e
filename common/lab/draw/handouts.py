"""The drawings of handouts, hints, solutions and design, each a file of its own: ./lab plot handouts docs/pictures"""

import draw_dependency_chains
import draw_house
import draw_memory_layout
import draw_ports
import draw_thread_schedules
import draw_tiles

DRAWINGS = (draw_dependency_chains, draw_house, draw_memory_layout, draw_ports, draw_thread_schedules, draw_tiles)


def sheets():
    return [drawing.draw() for drawing in DRAWINGS]
