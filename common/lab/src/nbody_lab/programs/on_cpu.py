"""The option --on-cpu: runs a CUDA implementation with its kernels on the CPU (common/cuda_on_cpu).

These programs have their own manifest, which only check and run read, so no command measures them by mistake.
"""

from nbody_lab.core.messages import say, stop

OPTION = "--on-cpu"
# A check asks for up to a thousand steps at once; the slowest programs need a minute.
PATIENCE = ["--timeout", "200"]
COMMANDS = ("check", "run")


def demand_command(command, words):
    if OPTION in words and command not in COMMANDS:
        stop(
            f"{OPTION} is for check and run only: kernels on the CPU show what is right, not how fast"
        )


def taken_from(words):
    """(is the option among them, the other words)"""
    return OPTION in words, [word for word in words if word != OPTION]


def begin(lab, names):
    """Switches the lab to the programs for the CPU; call it after lab.begin()."""
    part = lab.part
    if not lab.has_kernels():
        stop(f"{OPTION} is for CUDA kernels: {part} has none")
    lab.use_cpu()
    if lab.known() is None:
        lab.step("finding out how to run kernels on the CPU", "cmake", "--preset", lab.preset)
    if lab.known() is None:
        stop("kernels cannot run on the CPU here: that needs Linux, Python, and g++ 11 or clang 16")
    lab.demand_part()
    for name in names:
        why = next(
            (
                row["why"]
                for row in lab.known().gpu_only
                if row["part"] == part and row["name"] == name
            ),
            "",
        )
        if why:
            stop(f"{part}/{name} uses {why}, which only a GPU has: it cannot run with {OPTION}")


def how_to_check(options):
    """Warns about slowness; returns extra options for bin/check. The program for double must already be built."""
    say("kernels run on the CPU, one thread after another: results count, times mean nothing")
    return PATIENCE if "--timeout" not in options else []


def advise(lab, names):
    """Suggests --on-cpu after a skipped check."""
    name = names[0] if len(names) == 1 else "NAME"
    say(
        f"no GPU answers here, so nothing was checked; ./lab check {lab.part} {name} {OPTION} runs the kernels on the CPU: slowly, "
        "but it finds wrong indices and missing barriers"
    )
