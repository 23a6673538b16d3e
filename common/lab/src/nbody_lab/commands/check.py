"""./lab check, and ./lab undo, which restores an earlier version."""

from nbody_lab.arguments import Name, PartName
from nbody_lab.core.handed_out import warn_if_edited
from nbody_lab.core.help_files import show_help
from nbody_lab.core.messages import UserError, say, stop
from nbody_lab.core.running import run_program, spin_shortly
from nbody_lab.core.words import (
    asks_for_double,
    leading_names,
    nearest,
    wants_help,
)
from nbody_lab.notebook import kept_results
from nbody_lab.programs import on_cpu
from nbody_lab.programs.counting import (
    sealed_source,
)
from nbody_lab.programs.sanitize import of_gpu, sanitize
from nbody_lab.tasks import undo as kept_versions
from nbody_lab.workshop import PASSED, ROOT, Workshop, gpu_answers

VERDICTS, WORKSHEETS = ROOT / "build/verdicts", ROOT / "build/worksheets"


def folder_of_undo(lab):
    return lab.folder() / PASSED


def sanitized(lab, name, by_cpu):
    """Checks one program for memory errors, undefined behaviour and data races."""
    if lab.has_kernels() and not by_cpu:
        stop(of_gpu(lab.part, name))
    lab.begin()
    if by_cpu:
        on_cpu.begin(lab, [name])
    lab.demand_name(name)
    lab.demand_targets(
        f"{lab.part}/{name}", lab.program(name) if by_cpu else f"bin/{lab.part}/{name}"
    )
    lab.unlock()
    return 0 if sanitize(ROOT, lab.manifest, lab.part, name) else 1


def begin_check(lab, names, by_cpu):
    if lab.has_kernels() and not by_cpu and not gpu_answers():
        say(f"no GPU answers here: {lab.part} is compiled, but not checked")
    lab.begin()
    if by_cpu:
        on_cpu.begin(lab, names)


def build_for_check(lab, names, options):
    """True if all was built. For a whole part, one header that does not compile does not stop the others."""
    warn_if_edited(ROOT, lab.part)
    if not names:
        all_of_part = lab.part + lab.made_for
        in_double = [f"{all_of_part}_in_double"] if asks_for_double(options) else []
        return lab.build_targets(lab.part, all_of_part, "bin/check", *in_double)
    targets = ["bin/check"]
    # The others are compared with naive, if the part has one.
    for name in lab.names("naive") + names:
        targets += [
            lab.program(name),
            *(lab.targets(name, "double") if lab.made_for else lab.double_targets(name, options)),
        ]
    lab.demand_targets(f"{lab.part}/{' '.join(names)}", *targets)
    return True


def remember_checked(lab, names):
    for name in names:
        kept_versions.checked(lab.source(name), folder_of_undo(lab))


def remember_passed(lab, names):
    for name in names:
        kept_versions.passed(lab.source(name), folder_of_undo(lab))


def check(lab, words):
    if wants_help(words):
        return show_help("check")
    by_cpu, words = on_cpu.taken_from(lab.choose_part("check", words))
    names, options = leading_names(words)
    if options[:1] == ["--sanitize"]:
        if len(names) != 1 or len(options) != 1:
            stop(
                f"check --sanitize takes one name and nothing else: ./lab check {lab.part} mine --sanitize"
            )
        return sanitized(lab, names[0], by_cpu)
    begin_check(lab, names, by_cpu)
    if not names:
        lab.demand_part()
        # Headers may have been added or removed: update the manifest.
        lab.step("looking at the headers", "ninja", "-C", lab.build, "build.ninja")
    for name in names:
        lab.demand_name(name)
    students = [name for name in lab.names("mine") if not names or name in names]
    remember_checked(lab, students)
    seals = {name: sealed_source(lab, name) for name in names or lab.names()}
    all_built = build_for_check(lab, names, options)
    no_gpu = lab.on_gpu() and not lab.gpu()
    lab.unlock()
    spin_shortly()
    how = on_cpu.how_to_check(options) if by_cpu else ["--builder", ROOT / "lab"]
    with kept_results.Asked(VERDICTS, options) as asked:
        status = run_program(
            [
                lab.build / "bin/check",
                lab.part,
                *names,
                "--manifest",
                lab.manifest,
                *how,
                *options,
                *asked.words,
            ],
            become=False,
        )
        kept_results.keep_verdicts(
            VERDICTS, asked.said(), seals, [*options, *([on_cpu.OPTION] if by_cpu else [])]
        )
    if not all_built:
        say(f"some of {lab.part} did not compile; see above")
        status = status or 1
    lab.show_warnings_again(students)
    if no_gpu:
        on_cpu.advise(lab, names)
    # Undo restores the text saved before the build: that text passed, and the file may have changed since.
    if status == 0 and not options and not no_gpu:
        remember_passed(lab, students)
    return status


def undo(part: PartName, name: Name = "mine") -> None:
    """restore your file as it last passed

    Your file takes the place of the kept one: run it again to reverse that.

    ./lab undo part1 mine
    """
    lab = Workshop(part)  # its manifest is not needed, since the file may be missing
    extension = "cuh" if (lab.folder() / "naive.cuh").exists() else "hpp"
    own = {
        file.stem
        for folder in (lab.folder(), folder_of_undo(lab))
        for file in folder.glob(f"mine*.{extension}")
    }
    if name not in own | {"mine"}:
        raise UserError(
            f"you have no version '{name}' in {part}; you have: {' '.join(sorted(own))}{nearest(name, own)}"
        )
    print(kept_versions.back(lab.folder() / f"{name}.{extension}", folder_of_undo(lab)))
