"""./lab list, build and run."""

from nbody_lab.commands import listing
from nbody_lab.commands.view import show_before_run
from nbody_lab.core.messages import stop
from nbody_lab.core.running import run_and_tell
from nbody_lab.core.words import plain_name, wants_help
from nbody_lab.programs import on_cpu
from nbody_lab.programs.ranks import words_to_start


def list_all(lab, words):
    if len(words) > 1:
        stop("list takes one part at most: ./lab list [PART]")
    if words:
        lab.choose_part("list", words)
    lab.begin()
    if lab.part:
        lab.demand_part()
    lab.unlock()
    return listing.show(lab.manifest, lab.part)


def build(lab, words):
    in_double = len(words) > 1 and words[-1] == "--double"
    if in_double:
        words = words[:-1]
    if len(words) > 2:
        stop("build takes a part and a name: ./lab build [PART|all] [NAME]")
    everything = not words or words[0] == "all"
    if everything and len(words) == 2:
        stop("build all takes no name: ./lab build all, or ./lab build PART NAME")
    names = [] if everything else [plain_name(word) for word in lab.choose_part("build", words)]
    lab.begin()
    if everything:
        lab.demand_targets("everything", "all")
    elif names:
        precision = "double" if in_double else "float"
        lab.demand_name(names[0])
        lab.demand_targets(
            f"{lab.part}/{names[0]} in {precision}", *lab.targets(names[0], precision)
        )
    else:
        lab.demand_part()
        lab.demand_targets(
            f"{lab.part} in double" if in_double else lab.part,
            f"{lab.part}_in_double" if in_double else lab.part,
        )
    return 0


def run(lab, words):
    words = lab.choose_part("run", words)
    if not words or words[0].startswith("-") or not words[0]:
        stop(
            f"run needs a name after {lab.part}, for example: ./lab run {lab.part} naive -n 1000 -i 10 -v"
        )
    name = plain_name(words[0])
    by_cpu, options = on_cpu.taken_from(words[1:])
    if not by_cpu and not wants_help(options):
        lab.refuse_without_gpu(
            f"./lab run {lab.part} {name} {on_cpu.OPTION} runs its kernels on the CPU, slowly"
        )
    lab.begin()
    if by_cpu:
        on_cpu.begin(lab, [name])
    lab.demand_name(name)
    if not wants_help(options):
        lab.demand_gpu()
    lab.demand_targets(f"{lab.part}/{name}", lab.program(name), *lab.double_targets(name, options))
    words = words_to_start(lab, name, options)
    show_before_run(lab, name, options)
    lab.unlock()
    advice = (
        ""
        if lab.on_gpu()
        else f"; ./lab check {lab.part} {name}{' --on-cpu' * by_cpu} --sanitize names the line"
    )
    return run_and_tell(words, f"{lab.part}/{name}", advice)
