"""./lab bench: how fast is it? And the studies."""

import subprocess

from nbody_lab.core.handed_out import demand_baseline
from nbody_lab.core.help_files import show_help
from nbody_lab.core.messages import say, stop
from nbody_lab.core.running import run_program
from nbody_lab.core.words import asks_for_double, leading_names, wants_help
from nbody_lab.draw import pictures
from nbody_lab.handout import references
from nbody_lab.programs.counting import forget_old_counts, names_with_hidden_counts
from nbody_lab.studies import compilers as study_of_compilers
from nbody_lab.studies import copies as study_of_copies
from nbody_lab.studies import energy as study_of_energy
from nbody_lab.studies import studies
from nbody_lab.workshop import ROOT


def revision():
    """The revision of the sources, for a result file."""
    try:
        return subprocess.run(
            ["git", "-C", ROOT, "describe", "--always", "--dirty"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        ).stdout.strip()
    except OSError:  # no git
        return ""


def take_study(words):
    """(study, other options); study is '' without --study."""
    if words[:1] != ["--study"]:
        return "", words
    if len(words) == 1:
        stop("bench --study needs the name of a study")
    return words[1], words[2:]


def study_compilers(lab, names, options):
    if names:
        stop("bench --study compilers takes naive, mine and the best: leave out the names")
    if lab.on_gpu():
        stop(f"the study compilers is for CPU parts, not for {lab.part}")
    lab.demand_targets("the bench program", "bin/bench")
    return study_of_compilers.study(ROOT, lab.part, lab.manifest, lab.build / "bin/bench", options)


def study_energy(lab, names, options):
    name = names[0] if names else "naive"
    if len(names) > 1:
        stop("bench --study energy takes one implementation (without a name: naive)")
    lab.demand_name(name)
    programs = [lab.program(name), *lab.double_targets(name, ["--precision", "double"])]
    lab.demand_targets(f"{lab.part}/{name}", *programs)
    lab.unlock()
    if "--json" not in options:
        options = ["--json", ROOT / "build/study" / f"energy_{lab.part}.json", *options]
    return study_of_energy.main(
        [lab.part, name, *(lab.build / program for program in programs), *options]
    )


def plan_study(lab, study, names):
    """(names, options) of a row of the part's studies.json."""
    if not lab.on_gpu():
        stop(f"bench {lab.part} has two studies: --study compilers and --study energy")
    lab.demand_part()
    return studies.plan(lab.known(), lab.part, study, names)


def build_for_bench(lab, names, options):
    if not names:
        in_double = [f"{lab.part}_in_double"] if asks_for_double(options) else []
        if not lab.build_targets(lab.part, lab.part, "bin/bench", *in_double):
            say("continuing without what did not compile")
        return
    targets = ["bin/bench"]
    for name in names:
        targets += (
            [f"bin/{name}"]
            if "/" in name
            else [lab.program(name), *lab.double_targets(name, options)]
        )
    lab.demand_targets(f"{lab.part}/{' '.join(names)}", *targets)


def compare(lab, words):
    lab.begin()
    lab.demand_targets("the bench program", "bin/bench")
    lab.unlock()
    return run_program([lab.build / "bin/bench", *words])


def bench(lab, words):
    if wants_help(words):
        return show_help("bench")
    if words and words[0].split("=")[0] == "--compare":
        return compare(lab, words)
    names, options = leading_names(lab.choose_part("bench", words))
    study, options = take_study(options)
    lab.refuse_without_gpu()
    if not names or "naive" in names:
        demand_baseline(ROOT, lab.part)
    lab.begin()
    if study == "compilers":
        return pictures.measured_and_drawn(
            lambda words: study_compilers(lab, names, words), lab.part, options
        )
    if study == "energy":
        return pictures.measured_and_drawn(
            lambda words: study_energy(lab, names, words), lab.part, options
        )
    of_study = []
    if study:
        names, of_study = plan_study(lab, study, names)
    lab.demand_part()
    for name in names:
        if "/" not in name:  # otherwise of another part
            lab.demand_name(name)
    gpu = lab.demand_gpu()
    build_for_bench(lab, names, options)
    if study == "copies":
        lab.unlock()
        return study_of_copies.study(lab.part, names[0], str(lab.build), gpu, *options)
    forget_old_counts(lab)
    told = ["--manifest", lab.manifest, "--revision", revision()]
    if gpu:
        peak = lab.ask_devices("--peak")
        told += ["--device", gpu, *(["--device-peak", peak] if peak else [])]
    hidden = names_with_hidden_counts(lab)
    if hidden:
        told += ["--hide-counts", ",".join(hidden)]
    lab.unlock()
    begin = [lab.build / "bin/bench", lab.part, *names, *told, *of_study]
    status = pictures.measured_and_drawn(
        lambda words: run_program([*begin, *words], become=False), lab.part, options
    )
    return references.show(ROOT, lab.part, status)
