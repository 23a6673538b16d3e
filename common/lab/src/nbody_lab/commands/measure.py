"""Commands that measure: bench, try, profile, counters, vec-report."""

import subprocess

from nbody_lab.commands.judge import VERDICTS, remember_checked, remember_passed
from nbody_lab.core.handed_out import demand_baseline
from nbody_lab.core.help_files import show_help
from nbody_lab.core.messages import say, stop
from nbody_lab.core.running import run_program
from nbody_lab.core.words import asks_for_double, leading_names, one_name, plain_name, wants_help
from nbody_lab.draw import pictures
from nbody_lab.explain.vec_report import explain as explain_loops
from nbody_lab.handout import references
from nbody_lab.hardware import counters as perf_counters
from nbody_lab.notebook import kept_results, trial, trial_text
from nbody_lab.notebook import try_idea as try_command
from nbody_lab.profiles import gprof as gprof_profile
from nbody_lab.profiles import gpu as gpu_profile
from nbody_lab.programs.counting import forget_old_counts, names_with_hidden_counts, sealed_source
from nbody_lab.programs.ranks import demand_one_process
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


def try_it(lab, question):
    """Builds, judges and times it, and says what came out."""
    lab.demand_name(question.name)
    gpu = lab.demand_gpu()
    lab.demand_targets(
        f"{lab.part}/{question.name}",
        f"bin/{lab.part}/{question.name}",
        f"bin/{lab.part}/naive",
        "bin/check",
        "bin/bench",
    )
    found = trial.tried(trial.Programs(lab.part, lab.build, lab.manifest, gpu), question)
    print("\n".join(trial_text.lines_of(found, f"{lab.part}/{question.name}")))
    return found


def draw_notebook(folder):
    if pictures.can_draw():
        pictures.draw("notebook", folder, "--if-any")


def try_again(lab, folder, options):
    demand_baseline(ROOT, lab.part)
    programs = lab.build / "notebook" / lab.part
    try_command.row_again(folder, options.again, programs)  # complains before minutes of building
    lab.begin()
    # Still locked: a build would spoil the measurement.
    status = try_command.try_again(
        folder, options, lambda question: try_it(lab, question), programs
    )
    draw_notebook(folder)
    return status


def try_idea(lab, words):
    if wants_help(words):
        return show_help("try")
    words = lab.choose_part("try", words)
    folder = lab.folder()
    if any(word.split("=")[0] == "--again" for word in words):
        return try_again(lab, folder, try_command.parse_again(words))
    if not words or not words[0] or words[0].startswith("-"):
        stop(
            f'try needs a name after {lab.part}, for example: ./lab try {lab.part} mine "sums in locals" --expect 1.5'
        )
    name = plain_name(words[0])
    options = try_command.parse(name, words[1:])
    lab.refuse_without_gpu()
    demand_baseline(ROOT, lab.part)
    try_command.row_before(folder, name, options)  # complains before minutes of building
    lab.begin()
    lab.demand_name(name)
    seals = {name: sealed_source(lab, name)}
    if lab.of_part("default_step") == "adaptive":
        options.vdt = True
    remember_checked(lab, [name])
    # Still locked: a build would spoil the measurement, and a second try would write to the same notebook.
    status = try_command.try_idea(
        folder,
        name,
        lab.source(name),
        options,
        lambda question: try_it(lab, question),
        lab.build / "notebook" / lab.part,
        lambda said: kept_results.keep_verdicts(VERDICTS, said, seals, ["--no-double"]),
    )
    if status == 0:
        remember_passed(lab, [name])
    draw_notebook(folder)
    lab.show_warnings_again([name])
    return status


def profile_on_gpu(lab, name, options):
    """The program itself times its kernels and copies."""
    lab.demand_name(name)
    lab.demand_gpu()
    in_double = lab.targets(name, "double") if "--double" in options else []
    lab.demand_targets(f"{lab.part}/{name}", f"bin/{lab.part}/{name}", *in_double)
    lab.unlock()
    return gpu_profile.run([lab.part, name, str(lab.build), *options])


def profile(lab, words):
    """The program of the same build with -pg in the implementation's own file (common/cmake/gprof.cmake)."""
    if wants_help(words):
        return gprof_profile.run(["--help"])
    name, options = one_name(lab.choose_part("profile", words))
    if lab.has_kernels():
        gpu_profile.run(options)
        lab.refuse_without_gpu()
    lab.begin()
    demand_one_process(lab, "profile")
    if lab.on_gpu():
        return profile_on_gpu(lab, name, options)
    gprof_profile.run(["--tools", *options])
    lab.demand_name(name)
    lab.demand_targets(
        f"{lab.part}/{name} for gprof",
        f"bin/{gprof_profile.folder_of('--debug' in options)}/{lab.part}/{name}",
    )
    lab.unlock()
    return gprof_profile.run([lab.part, name, str(lab.build), *options])


def counters(lab, words):
    name, options = one_name(lab.choose_part("counters", words))
    lab.begin()
    if lab.on_gpu():
        stop(
            f"these counters are the processor's; for the GPU's: ./lab profile {lab.part} {name} --ncu"
        )
    perf_counters.demand_counters()
    lab.demand_name(name)
    lab.demand_targets(f"{lab.part}/{name}", f"bin/{lab.part}/{name}")
    lab.unlock()
    return perf_counters.show([lab.part, name, str(lab.build), *options])


def vec_report(lab, words):
    name, options = one_name(lab.choose_part("vec-report", words))
    lab.begin()
    # Reconfigures if flags.txt has changed.
    lab.step("looking at the flags", "ninja", "-C", lab.build, "build.ninja")
    lab.demand_name(name)
    lab.unlock()
    return explain_loops([lab.part, name, str(lab.build), *options])
