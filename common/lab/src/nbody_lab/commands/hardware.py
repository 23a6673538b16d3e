"""What this machine can do: ./lab machine."""

from typing import Annotated

import typer

from nbody_lab.building.arguments import JsonFile
from nbody_lab.building.lab import Lab
from nbody_lab.core.console import show
from nbody_lab.core.whole_file import write_text


def machine(
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="also each instruction set, each memory level, and GPU 0's limits"
        ),
    ] = False,
    json: JsonFile = None,
) -> int:
    """your processor and GPUs: what operations cost, how fast they can be

    It measures the processor for a minute, once: run nothing else meanwhile. A question mark means
    that something else ran, or that figures contradict each other: ./lab roofline --measure measures
    again. Of GPUs it shows what they have and what keeps them busy; --all also measures how fast GPU
    0 can be, in a dozen seconds.

    ./lab machine --all
    """
    from nbody_lab.measure.card import format_card
    from nbody_lab.measure.ceilings import known_ceilings
    from nbody_lab.measure.gpu_ceilings import gpu_ceilings_text, gpus_text, measure_gpu

    lab = Lab()
    lab.begin()
    ceilings = known_ceilings(lab)
    if json:
        write_text(json, ceilings.model_dump_json(indent=1) + "\n")
    show(format_card(ceilings, everything))
    if not (gpus := lab.gpus()):
        return 0
    lab.unlock()
    show("", gpus_text(gpus))
    if everything:
        show("", gpu_ceilings_text(measure_gpu(lab), gpus[0]))
    return 0
