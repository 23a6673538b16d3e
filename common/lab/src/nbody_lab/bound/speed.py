"""The speeds beside a bound: measured if possible; without a GPU, the stored speeds of data/results."""

import json
import subprocess
import tempfile
from collections import namedtuple
from pathlib import Path

from nbody_lab.bound.command import precision_of, stored_clock, with_speed
from nbody_lab.bound.sass import lanes_of
from nbody_lab.programs.quick_bench import bench_result, timed_beside_others
from nbody_lab.worksheet.roofline_inputs import speeds_of
from nbody_lab.workshop import ROOT

ROUNDS, BODIES, BODIES_ON_GPU = "3", "5000", "131072"  # enough for a first look
STORED, STORED_GPU, STORED_ARCHITECTURE = (
    "data/results/part3_study_ladder.json",
    "an NVIDIA H200",
    "sm_90",
)

Gpu = namedtuple("Gpu", "name architecture multiprocessors clock_hz")


def gpu_here(lab):
    """The GPU that programs run on; None if none answers."""
    name = lab.gpu()
    if not name:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "devices.json"
        subprocess.run(
            [str(lab.build / "bin/devices"), "--json", str(file)],
            stdout=subprocess.DEVNULL,
            check=True,
        )
        first = json.loads(file.read_text(encoding="utf-8"))["devices"][0]
    architecture = "sm_" + first["compute_capability"].replace(".", "")
    return Gpu(name.split(", built")[0], architecture, first["multiprocessors"], first["clock_hz"])


def measure(lab, names, options, *more):
    """The bench results of these programs, each on one thread of the processor."""
    return bench_result(
        lab,
        names,
        "--threads",
        "1",
        "--rounds",
        ROUNDS,
        "--precision",
        precision_of(options),
        *more,
    )


def add_measured(all_found, result, options, clock, at_once=1, machine=""):
    """Adds the speeds in `result`, the output of bench. A program built for one instruction set is also found under its
    plain name."""
    speeds, wrong = speeds_of(result, precision_of(options), 1)
    for found in all_found:
        names = (found["name"], f"{found['name']}_{options.arch}")
        speed = next((speeds[name] for name in names if name in speeds), None)
        why = next((wrong[name] for name in names if name in wrong), "no result")
        with_speed(found, clock, speed, at_once, machine, "" if speed else f"the bench says: {why}")
        found["busy_machine"] = any(name in timed_beside_others(result) for name in names)


def names_of(all_found):
    return [found["name"] for found in all_found]


def add_speeds_of_processor(lab, all_found, options):
    """Adds the speeds that bench measures and its clock; without measuring, only the clock of build/ceilings.json."""
    if options.unmeasured or options.core:
        for found in all_found:
            with_speed(found, options.clock or stored_clock(ROOT), None)
        return
    result = measure(
        lab,
        names_of(all_found),
        options,
        "-n",
        BODIES,
        *(["--arch", options.arch] if options.arch else []),
    )
    add_measured(all_found, result, options, result.get("context", {}).get("clock_hz"))


def add_speeds_of_gpu(lab, all_found, options, gpu):
    """Adds speeds on `gpu`, a result of gpu_here(). Code for another architecture gets none."""
    architecture = all_found[0]["core"]
    if gpu is None:
        add_stored_speeds(lab, all_found, options)
    elif architecture != gpu.architecture:
        without_speeds(
            all_found,
            f"no speeds: the code is for {architecture}, the GPU here is {gpu.architecture}",
        )
    elif options.unmeasured:
        for found in all_found:
            with_speed(found, gpu.clock_hz, None, lanes_of(gpu.multiprocessors), gpu.name)
    else:
        result = measure(
            lab, names_of(all_found), options, "-n", BODIES_ON_GPU, "--device", gpu.name
        )
        add_measured(
            all_found, result, options, gpu.clock_hz, lanes_of(gpu.multiprocessors), gpu.name
        )


def without_speeds(all_found, why):
    for found in all_found:
        with_speed(found, None, None, machine=why)


def why_not_stored(lab, found, wrong):
    if lab.row(found["name"])["kind"] == "mine":
        return "your own code was never measured on that GPU"
    return (
        f"the bench says: {wrong[found['name']]}"
        if found["name"] in wrong
        else f"{STORED} lacks it in {found['precision']}"
    )


def add_stored_speeds(lab, all_found, options):
    """Adds the stored speeds of the H200."""
    architecture = all_found[0]["core"]
    if architecture != STORED_ARCHITECTURE:
        without_speeds(
            all_found,
            f"no speeds: the code is for {architecture}, no GPU answers here, and data/results was measured on {STORED_GPU}, {STORED_ARCHITECTURE}",
        )
        return
    if not (ROOT / STORED).exists():
        without_speeds(all_found, "no GPU answers here, and there are no stored speeds")
        return
    slots = json.loads((ROOT / "data/results/part3_slots.json").read_text(encoding="utf-8"))[
        "summary"
    ][0]
    speeds, wrong = speeds_of(
        json.loads((ROOT / STORED).read_text(encoding="utf-8")), precision_of(options), 1
    )
    machine = f"{STORED_GPU}; speeds from {STORED}, because no GPU answers here"
    for found in all_found:
        own = lab.row(found["name"])["kind"] == "mine"
        speed = None if options.unmeasured or own else speeds.get(found["name"])
        why = "" if speed or options.unmeasured else why_not_stored(lab, found, wrong)
        with_speed(found, slots["clock_hz"], speed, slots["interactions"], machine, why)
