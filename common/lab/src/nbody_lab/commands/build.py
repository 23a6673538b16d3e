"""Commands that build and run: demo, setup, list, build, run, plot, machine, devices."""

import json
import shutil
from pathlib import Path

from nbody_lab.commands import listing, report
from nbody_lab.commands.view import show_before_run
from nbody_lab.core.help_files import show_help
from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.running import run_and_tell, run_program
from nbody_lab.core.whole_file import why_not_writable
from nbody_lab.core.words import plain_name, wants_help
from nbody_lab.draw import pictures
from nbody_lab.handout import references
from nbody_lab.hardware.card import card_text
from nbody_lab.hardware.ceilings import known_ceilings
from nbody_lab.programs import demo as demonstration
from nbody_lab.programs import on_cpu
from nbody_lab.programs.ranks import words_to_start
from nbody_lab.workshop import ROOT

OPTIONS_OF_DEMO = ("--data", "--json", "--plot")  # each with a value
SETUP = ["bash", ROOT / "common/setup/setup.sh"]


def setup(lab, words):
    lab.lock()
    return run_program(SETUP + words, become=False)


def demand_options_of_demo(words):
    """{option: value}. Complains before anything is installed or built."""
    rest, options = iter(words), {}
    for word in map(str, rest):
        name, has_value, value = word.partition("=")
        if name not in OPTIONS_OF_DEMO:
            stop(f"demo shows part 1 and takes no '{word}'; it has {', '.join(OPTIONS_OF_DEMO)}")
        options[name] = value if has_value else next(rest, "")
        if not options[name]:
            stop(f"demo: {name} needs a value after it")
    data = Path(options.get("--data", ROOT / "data/in"))
    if not (data / "solar_system.dat").is_file():
        stop(f"demo: --data {data} has no solar_system.dat")
    demonstration.earth_in(data / "solar_system.dat")
    return options


def demo(lab, words):
    if wants_help(words):
        return show_help("demo")
    demand_options_of_demo(words)
    lab.lock()
    status = run_program(SETUP, become=False)
    if status != 0:
        raise Failure(status)
    lab.configure()
    if not lab.build_targets("part 1", "part1", demonstration.TRUTH, "bin/check", "bin/bench"):
        say("continuing without what did not compile")
    lab.unlock()

    def show(words):
        options = demand_options_of_demo(words)
        return demonstration.show(
            lab, options.get("--data", ROOT / "data/in"), options.get("--json")
        )

    status = pictures.measured_and_drawn(show, "demo", words)
    references.show(ROOT, "part1", status)
    report.after_demo()
    return status


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


def build_and_become(lab, label, program, words):
    """Builds and runs a program that is not an implementation."""
    lab.demand_targets(label, f"bin/{program}")
    lab.unlock()
    return run_program([lab.build / "bin" / program, *words])


def plot(_, words):
    if not pictures.can_draw():
        stop(f"nothing here can draw: {pictures.BRING}")
    return pictures.draw(*words)


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
