"""The one command of the lab: a thin layer over CMake presets and the programs they build.

By hand: cmake --preset release; cmake --build --preset release; build/release/bin/...
"""

import importlib
import os
import sys
from collections import namedtuple

from nbody_lab import ROOT
from nbody_lab.core.messages import ended, stop

Command = namedtuple("Command", "group module function usage")

START, WORK, MEASURE, LOOK, TEACH, KEEP = (
    "to begin",
    "to work on a part",
    "to measure",
    "to look closer",
    "to teach",
    "to keep the lab in order",
)

# One row for each command, in the order of the help.
COMMANDS = {
    "demo": Command(
        START,
        "commands.build",
        "demo",
        [("", "install what is missing, build, and show the lab at work")],
    ),
    "setup": Command(
        START,
        "commands.build",
        "setup",
        [
            (
                "[--no-root] [--cuda] [--mpi] [--pictures] [--view] [--grading] [--languages]",
                "install what is missing; --cuda: for part 3; --mpi: for part 4;\n"
                "--pictures: to draw plots (400 MB); --view: for ./lab view and record;\n"
                "--grading: for ./lab grade; --languages: for guests (1 GB)",
            )
        ],
    ),
    "list": Command(
        START, "commands.build", "list_all", [("[PART]", "the available implementations")]
    ),
    "next": Command(
        WORK,
        "commands.learn",
        "next_step",
        [("[PART]", "where you are, and what the next task asks for")],
    ),
    "build": Command(
        WORK, "commands.build", "build", [("[PART|all] [NAME]", "build one, a part, or everything")]
    ),
    "run": Command(
        WORK,
        "commands.build",
        "run",
        [
            (
                "PART NAME [options]",
                "simulate; options: ./lab run part1 naive -h; part4 also: --ranks P",
            )
        ],
    ),
    "view": Command(
        WORK,
        "commands.view",
        "view",
        [
            (
                "PART NAME [NAME] [options]",
                "watch it in a window, or two side by side; options of run, and -h",
            )
        ],
    ),
    "record": Command(
        WORK,
        "commands.view",
        "record",
        [
            (
                "PART NAME [NAME] -o FILM.mp4 [options]",
                "make a film, .mp4, .gif or .webm; options of run, and -h",
            ),
            (
                "PART NAME --save FILE.xyz|FILE.pvd [options]",
                "save its states for OVITO or ParaView",
            ),
        ],
    ),
    "check": Command(
        WORK,
        "commands.judge",
        "check",
        [
            ("PART [NAME...] [options]", "is it right? options: ./lab check -h"),
            (
                "PART NAME --sanitize",
                "addresses, undefined behaviour, data races, with their lines",
            ),
            (
                "part3 NAME --on-cpu [--sanitize]",
                "without a GPU: kernels run slowly on the CPU; run has it too",
            ),
        ],
    ),
    "hint": Command(
        WORK,
        "commands.learn",
        "hint",
        [
            ("PART TASK", "the next of three hints for a task"),
            (
                "PART TASK --solved",
                "what the solution does, once your version has passed its check",
            ),
        ],
    ),
    "worksheet": Command(
        WORK,
        "commands.judge",
        "worksheet",
        [("PART [QUESTION] [--which] [--by-how-much]", "judge your answers in worksheet.hpp")],
    ),
    "submit": Command(
        WORK,
        "handout.submit",
        "submit",
        [("[-o FILE] [--zip]", "pack what you hand in, once it builds in a clean copy")],
    ),
    "undo": Command(
        WORK,
        "commands.judge",
        "undo",
        [("PART [NAME]", "restore your file as it last passed; run again to reverse that")],
    ),
    "try": Command(
        MEASURE,
        "commands.measure",
        "try_idea",
        [
            (
                'PART NAME "idea" --expect 1.5 [--against ROW] [-n N]',
                "predict, check, measure: adds a row to the notebook; more: -h",
            )
        ],
    ),
    "bench": Command(
        MEASURE,
        "commands.measure",
        "bench",
        [
            (
                "PART [NAME...] [options]",
                "how fast is it? several sizes: -n 500,1000,2000; more: -h",
            ),
            (
                "--compare A.json B.json",
                "compare two results of --json: which differences are real?",
            ),
            ("PART --study compilers", "naive, mine and the best with several compilers and flags"),
            ("PART [NAME] --study energy", "which integrator keeps the energy, and at what cost?"),
            (
                "part3 [NAME...] --study block|unroll|sizes|large|switch|double|ladder|processor|copies",
                "one question each, on the GPU; --plot FOLDER draws the answer",
            ),
        ],
    ),
    "simulate": Command(
        MEASURE,
        "studies.simulate",
        "simulate",
        [
            (
                "part4 NAME [--network gbe|ib] [--ranks 1,4,16]",
                "on a simulated cluster: how fast, and who waits? more: -h",
            )
        ],
    ),
    "plot": Command(
        MEASURE,
        "commands.build",
        "plot",
        [
            ("bench FILE.json FOLDER", "draw a result again"),
            ("orbits BASE [--around BODY]", "draw what run -w BASE wrote"),
            ("energy BASE|FILE.csv", "how energy and momenta change; more plots: -h"),
        ],
    ),
    "export": Command(
        MEASURE,
        "export.command",
        "export",
        [
            (
                "BASE FILE.xyz|FILE.pvd",
                "convert what run -w BASE wrote: OVITO (.xyz), ParaView (.pvd, .vtp)",
            )
        ],
    ),
    "count": Command(
        LOOK,
        "commands.judge",
        "count",
        [
            (
                "PART [NAME] [options]",
                "flops and memory accesses of one iteration, by class; for the given\n"
                "code only once the worksheet's counts are right",
            )
        ],
    ),
    "profile": Command(
        LOOK,
        "commands.measure",
        "profile",
        [
            (
                "PART [NAME] [--debug] [--annotate] [-n N]",
                "which functions (--annotate: lines) take the time?",
            ),
            (
                "part3 [NAME] [--double] [--ncu] [-n N]",
                "on the GPU: which kernels and copies? --ncu: hardware counters",
            ),
        ],
    ),
    "roofline": Command(
        LOOK,
        "commands.roofline",
        "roofline",
        [
            (
                "PART [NAME...] [options]",
                "how close to this machine's roof, and what limits it? more: -h",
            ),
            ("--measure", "measure this machine's ceilings again"),
        ],
    ),
    "counters": Command(
        LOOK,
        "commands.measure",
        "counters",
        [
            (
                "PART [NAME] [-n N] [-i K] [--threads T]",
                "processor counters (by perf): instructions per cycle, cache misses",
            )
        ],
    ),
    "bound": Command(
        LOOK,
        "commands.bound",
        "bound",
        [
            (
                "PART [NAME...] [--double] [--arch SET] [--no-measure]",
                "how fast could your loop be? the ports its machine code keeps busy",
            ),
            (
                "PART --all [--clock HZ] [--json FILE]",
                "every implementation in a table; --clock: where none is measured",
            ),
            (
                "PART NAME --core ZEN4",
                "for another processor; --interactions K: so many per iteration",
            ),
        ],
    ),
    "vec-report": Command(
        LOOK,
        "commands.measure",
        "vec_report",
        [
            (
                "PART [NAME] [--double]",
                "which loops does the compiler vectorise, and why not the others?",
            )
        ],
    ),
    "diff": Command(
        LOOK,
        "commands.learn",
        "diff",
        [("PART NAME [OTHER]", "what a rung changes: each function beside the one it replaces")],
    ),
    "report": Command(
        LOOK,
        "commands.report",
        "report",
        [("[PART...] [-o FILE]", "everything measured on one page: build/report.html")],
    ),
    "site": Command(
        LOOK,
        "commands.report",
        "site",
        [
            (
                "[--students]",
                "all documents as pages for a browser, with search: build/site;\n"
                "--students: without solutions and answers, in build/site_students",
            )
        ],
    ),
    "machine": Command(
        LOOK,
        "commands.build",
        "machine",
        [
            (
                "[--json FILE]",
                "your processor: what operations cost, how fast it can be;\n"
                "measured once (a minute), then kept",
            )
        ],
    ),
    "devices": Command(
        LOOK,
        "commands.build",
        "devices",
        [
            (
                "[--measure] [--json FILE]",
                "your GPUs: what they have, how fast they can be, what keeps them busy",
            )
        ],
    ),
    "handout": Command(
        TEACH,
        "handout.command",
        "handout",
        [
            (
                "-o FILE.tar.gz [--parts part1,part2] [--solutions-from PATH]",
                "the lab without solutions and answers, for students; more: -h",
            )
        ],
    ),
    "grade": Command(
        TEACH,
        "grade.command",
        "grade",
        [
            (
                "CLASS -o FOLDER [options]",
                "measure every submission of a class in isolation and score it; more: -h",
            ),
            ("--self", "score your own files by the published rubric"),
            ("--rescore FOLDER --rubric FILE", "score again what was measured; runs nothing"),
            (
                "--exchange FOLDER -o OUT",
                "students read each other's passing versions, without names",
            ),
        ],
    ),
    "doctor": Command(
        KEEP,
        "commands.learn",
        "doctor",
        [("", "machine, load, compilers, packages on one screen, for your instructor")],
    ),
    "test": Command(
        KEEP,
        "commands.tests",
        "test",
        [
            (
                "[--all | --weekly] [--keep-going] [SUITE...]",
                "the lab's own tests; --all takes an hour,\n--weekly two hours",
            ),
            ("--only NAME", "builds and runs one test"),
            ("--list", "the suites and what each is for"),
        ],
    ),
    "completion": Command(
        KEEP,
        "commands.completion",
        "show_script",
        [("", 'completion in bash: eval "$(./lab completion)"')],
    ),
    "help": Command(KEEP, "", "", [("", "this list")]),
}
HAVE_HELP_OF_THEIR_OWN = (
    "check",
    "hint",
    "worksheet",
    "try",
    "bench",
    "plot",
    "profile",
    "roofline",
    "simulate",
    "demo",
    "handout",
    "submit",
    "grade",
)
EXAMPLES = ["./lab check part1 mine", "./lab run part1 mine -n 1000 -i 100 -v"]
COLUMN = 29  # where the explanations begin


def rows_of_help(name, command):
    for words, what in command.usage:
        usage = f"  {name} {words}".rstrip()
        first, *more = what.split("\n")
        if len(usage) < COLUMN:
            yield f"{usage:<{COLUMN}}{first}"
        else:
            yield usage
            yield " " * COLUMN + first
        for line in more:
            yield " " * COLUMN + line


def help_text():
    lines, group = ["usage: ./lab COMMAND"], ""
    for name, command in COMMANDS.items():
        if command.group != group:
            group = command.group
            lines += ["", f"{group}:"]
        lines += rows_of_help(name, command)
    return "\n".join([*lines, "", "for example:", *(f"  {example}" for example in EXAMPLES)])


def begin():
    """The text of a bare ./lab before anything is built."""
    return "\n".join(
        [
            "A lab for learning to make a program fast: gravity between all pairs of bodies.",
            "",
            "  ./lab demo               begin here: install what is missing, build, see the lab at work",
            "  ./lab run part1 naive    the slow program that you will make fast",
            "  ./lab next               where you are, and what the next task asks for",
            "  ./lab help               every command",
            "",
            "Then read part1_standard_opti/README.md and write your own version in mine.hpp beside it.",
        ]
    )


def run(words):
    if not words:
        built = (ROOT / "build/release/build.ninja").exists()
        print(help_text() if built else begin())
        return 0
    name = {"-h": "help", "--help": "help"}.get(words[0], words[0])
    if name == "help" and words[1:2] and words[1] not in (*COMMANDS, "-h", "--help"):
        name = words[1]  # reported as unknown below
    elif name == "help" and words[1:2] and words[1] in COMMANDS:
        name, words = words[1], [words[1], "-h"]
    if name == "help":
        print(help_text())
        return 0
    if name == "--complete":
        from nbody_lab.commands.completion import candidates

        print("\n".join(candidates(COMMANDS, words[1:])))
        return 0
    if name not in COMMANDS:
        from nbody_lab.core.words import nearest

        stop(f"unknown command '{name}'{nearest(name, COMMANDS) or '; ./lab help lists them'}")
    if words[1:2] in (["-h"], ["--help"]) and name not in HAVE_HELP_OF_THEIR_OWN:
        print("\n".join(rows_of_help(name, COMMANDS[name])))
        return 0
    from nbody_lab.programs.on_cpu import demand_command
    from nbody_lab.workshop import Workshop

    demand_command(name, words)
    command = COMMANDS[name]
    return getattr(importlib.import_module(f"nbody_lab.{command.module}"), command.function)(
        Workshop(), words[1:]
    )


def main(words):
    for stream, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, stream) is None:  # closed by the caller
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
            setattr(sys, stream, open(number, "w", encoding="utf-8"))
    return ended(run, words)


def run_lab():
    """For `lab`, where the package is installed."""
    sys.exit(main(sys.argv[1:]))
