"""The option --on-cpu: of an implementation in CUDA the program whose kernels run on the CPU (common/cuda_on_cpu).

They have a manifest of their own, which only the commands here look into: nothing measures them by mistake.
"""

from messages import say, stop

OPTION = "--on-cpu"
# A check asks up to a thousand steps at once; the slowest programs take a minute for them.
PATIENCE = ["--timeout", "200"]
COMMANDS = ("check", "run")


def demand_command(command, words):
    if OPTION in words and command not in COMMANDS:
        stop(f"{OPTION} is for check and run only: kernels on the CPU show what is right, not how fast")


def taken_from(words):
    """(is it among them, the others)"""
    return OPTION in words, [word for word in words if word != OPTION]


def begin(lab, names):
    """From now on the lab is about these programs; behind lab.begin()."""
    part = lab.part
    if not lab.has_kernels():
        stop(f"{OPTION} is for CUDA kernels: {part} has none")
    lab.use_cpu()
    if lab.known() is None:
        lab.step("looking for what kernels on the CPU need", "cmake", "--preset", lab.preset)
    if lab.known() is None:
        stop("kernels cannot run on the CPU here: that needs Linux, Python, and g++ 11 or clang 16")
    lab.demand_part()
    for name in names:
        why = next((row["why"] for row in lab.known().gpu_only if row["part"] == part and row["name"] == name), "")
        if why:
            stop(f"{part}/{name} uses {why}, which only a GPU has: it cannot run with {OPTION}")


def how_to_check(options):
    """More words for bin/check; the program for double has been built before."""
    say("kernels run on the CPU, one thread after another: results count, times mean nothing")
    return PATIENCE if "--timeout" not in options else []


def advise(lab, names):
    """Where a check was skipped."""
    name = names[0] if len(names) == 1 else "NAME"
    say(f"no GPU answers here, so nothing was checked; ./lab check {lab.part} {name} {OPTION} runs the kernels on the CPU: slowly, "
        "but it finds wrong indices and missing barriers")
