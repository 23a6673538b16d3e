"""Commands that explain: hint, diff, migrate, doctor, test."""

from commands_judge import wants_help
from messages import stop
from workshop import ROOT, plain_name, run_program, tool


def hint(lab, words):
    if wants_help(words):
        return run_program(tool("hint.py", "--help"))
    words = lab.choose_part("hint", words)
    folder = lab.folder()
    if not (folder / "hints.md").exists():
        stop(f"there are no hints for {lab.part}")
    return run_program(tool("hint.py", "--folder", folder, "--hints", folder / "hints.md", lab.part, *words))


def diff(lab, words):
    names = [plain_name(word) for word in lab.choose_part("diff", words)]
    if len(names) not in (1, 2):
        stop(f"diff wants one name, or two: ./lab diff {lab.part} openmp")
    lab.lock()
    lab.configure()
    lab.demand_part()
    lab.unlock()
    return run_program(tool("diff.py", lab.manifest, lab.part, *names))


def migrate(_, words):
    return run_program(tool("migrate.py", *words))


def doctor(_, __):
    return run_program(tool("doctor.py", ROOT))


def test(_, words):
    return run_program(tool("suites.py", *words))
