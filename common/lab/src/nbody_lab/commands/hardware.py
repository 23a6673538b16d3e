"""What this machine can do: ./lab machine."""

from typing import Annotated

from nbody_lab.building.arguments import JsonFile, flag
from nbody_lab.building.lab import Lab
from nbody_lab.core.console import show
from nbody_lab.core.whole_file import write_text
from nbody_lab.measure.card import card
from nbody_lab.measure.ceilings import known_ceilings
from nbody_lab.measure.gpu_ceilings import gpu_card, gpu_ceilings_text, measure_gpu


def machine(
    everything: Annotated[
        bool, flag("--all", "also each instruction set, each memory level, and GPU 0's limits")
    ] = False,
    json: JsonFile = None,
) -> None:
    """your processor and GPUs: what operations cost, how fast they can be

    It measures the processor for a minute, once: run nothing else meanwhile. A question mark means
    that something else ran, or that figures contradict each other: ./lab roofline --measure measures
    again. Of GPUs it shows what they have and what keeps them busy; --all also measures how fast GPU
    0 can be, in a dozen seconds.

    ./lab machine --all
    """
    lab = Lab()
    lab.begin()
    ceilings = known_ceilings(lab)
    if json:
        write_text(json, ceilings.model_dump_json(indent=1) + "\n")
    show(*card(ceilings, everything))
    gpus = lab.gpus()
    lab.unlock()
    for gpu in gpus:
        show(*gpu_card(gpu))
    if gpus and everything:
        show(*gpu_ceilings_text(measure_gpu(lab)))
