"""./lab try: predict, check, measure; a row in the notebook."""

from nbody_lab.commands.check import VERDICTS, remember_checked, remember_passed
from nbody_lab.core.handed_out import demand_baseline
from nbody_lab.core.help_files import show_help
from nbody_lab.core.messages import stop
from nbody_lab.core.words import plain_name, wants_help
from nbody_lab.draw import pictures
from nbody_lab.notebook import kept_results, trial, trial_text
from nbody_lab.notebook import try_idea as try_command
from nbody_lab.programs.counting import sealed_source
from nbody_lab.workshop import ROOT


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
