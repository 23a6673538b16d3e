"""./lab setup and ./lab demo."""

from pathlib import Path

from nbody_lab.commands import report
from nbody_lab.core.help_files import show_help
from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.running import run_program
from nbody_lab.core.words import wants_help
from nbody_lab.draw import pictures
from nbody_lab.handout import references
from nbody_lab.programs import demo as demonstration
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
