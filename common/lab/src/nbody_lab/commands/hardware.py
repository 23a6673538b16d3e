"""What this machine can do: ./lab machine and ./lab devices."""

import json
import shutil
from pathlib import Path

from nbody_lab.core.messages import stop
from nbody_lab.core.running import run_program
from nbody_lab.core.whole_file import why_not_writable
from nbody_lab.hardware.card import card_text
from nbody_lab.hardware.ceilings import known_ceilings


def build_and_become(lab, label, program, words):
    """Builds and runs a program that is not an implementation."""
    lab.demand_targets(label, f"bin/{program}")
    lab.unlock()
    return run_program([lab.build / "bin" / program, *words])


def machine(lab, words):
    if words and (len(words) != 2 or words[0] != "--json"):
        stop("machine takes only --json FILE")
    copy = Path(words[1]) if words else None
    if copy and (why_not_writable(copy) or not copy.parent.exists()):
        stop(f"{copy}: cannot be written")  # complains before measuring
    lab.begin()
    file = known_ceilings(lab)
    if copy:
        shutil.copyfile(file, copy)
    print(card_text(json.loads(file.read_text(encoding="utf-8"))))
    return 0


def devices(lab, words):
    lab.part = "part3"
    lab.refuse_without_gpu()
    lab.begin()
    lab.demand_part()
    return build_and_become(lab, "the devices program", "devices", words)
