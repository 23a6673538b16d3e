"""Runs the commands of the documents and compares the output with what they show.

    build/venv/bin/python docs/run_docs.py [FILE...]      all documents, or some
    build/venv/bin/python docs/run_docs.py --but FILE...  all but these
    build/venv/bin/python docs/run_docs.py --build        builds in advance what their commands use
    build/venv/bin/python docs/run_docs.py --here FILE... in the tree itself, and what is marked no-run, too
    build/venv/bin/python docs/run_docs.py --self-test    does it notice a wrong document?

A fenced block marked ```console is run. In it:

    $ COMMAND           run with bash at the top of the tree; a last \\ joins the next line
    # status 2          the command before ends with this status; else 0
    anything else       a line of its output; in this order, with others in between.
                        `...` stands for anything; how many blanks lie between words is free.

In ```console numbers, which shows what one run measured, a number stands for any number.
```console no-run is skipped, and the summary names it; with --here its commands are run, too:
they end as they should, and speak of nothing that is missing or has to be installed. Skipped is
```console gpu where no NVIDIA GPU answers, and ```console valgrind or ncu without that program. A file of the tree that a document names must exist.
Commands run in a copy of the tree with a build folder of its own, build/scratch_tree, so that
they may write freely. At the end the slowest are named. A notebook is one command, which runs
all of its cells (run_notebook.py).
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from nbody_lab.core.tree_copy import SCRATCH, copy_tree, link_tools
from run_notebook import text_of

ROOT = Path(__file__).resolve().parent.parent

COPY = SCRATCH
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/*.md",
    "part*/README.md",
    "part*/*.ipynb",
    "solutions/**/*.md",
    "data/README.md",
)
TIMEOUT_SECONDS = 600
SHOWN_LINES = 40
TOO_BUSY, BUSY_PAUSES_S = "too busy to measure", (10, 30, 60)
SLOWEST = 10

FENCE = re.compile(r"^(\s*)(```+|~~~+)\s*(.*?)\s*$")
NUMBER = re.compile(r"(?<![\w.])\d+(\.\d+)?(e[+-]\d+)?(?!\w)")
STATUS = re.compile(r"^# status (\d+)$")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
# A file of the tree that the text names: `docs/physics.md`, `physics.md`, or [a link](physics.md).
NAMED_FILE = re.compile(r"`((?:docs|common|data|solutions|part\w+)/[\w./-]*\w|\w+\.md)`")
# Code, in which [](int x) is no link.
CODE = re.compile(r"^```(?:cpp|diff)$.*?^```$", re.M | re.S)


@dataclass
class Command:
    document: str
    line: int
    text: str
    status: int = 0
    any_numbers: bool = False
    is_example: bool = (
        False  # of a block marked no-run: its output depends on the reader's own file
    )
    expected: list = field(default_factory=list)  # of (line number, text)
    seconds: float = 0


@dataclass
class Document:
    commands: list = field(default_factory=list)
    skipped: list = field(default_factory=list)  # of "file:line"
    problems: list = field(default_factory=list)  # of "file:line: text"


def gpu_answers():
    """Is there an NVIDIA GPU that programs may use?"""
    if shutil.which("nvidia-smi") is None:
        return False
    return (
        subprocess.run(
            ["nvidia-smi", "-L"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        ).returncode
        == 0
    )


NEEDS = {
    "gpu": gpu_answers,
    "ncu": lambda: shutil.which("ncu") and gpu_answers(),
    "valgrind": lambda: shutil.which("valgrind"),
}

SERVES = re.compile(r"\./lab view ")  # until it is stopped
SERVES_SECONDS = 10
LACKS = re.compile(r"\b(missing|install\w*)\b", re.IGNORECASE)


def parse(name, text, here=False):
    """The commands of one document. `here`: of blocks marked no-run, too."""
    document = Document()
    lines = text.splitlines()
    position = 0
    while position < len(lines):
        opening = FENCE.match(lines[position])
        position += 1
        if not opening:
            continue
        indent, fence, info = opening.groups()
        first = position
        while position < len(lines) and lines[position].strip() != fence:
            position += 1
        words = info.split()
        if words[:1] == ["console"]:
            where = f"{name}:{first}"
            block = [line[len(indent) :].rstrip() for line in lines[first:position]]
            needed = NEEDS.get(words[1]) if len(words) == 2 else None
            if words[1:] == ["no-run"] and here:
                examples = Document()
                parse_block(examples, name, first + 1, block)
                for command in examples.commands:
                    command.is_example, command.expected = True, []
                    document.commands.append(command)
            elif words[1:] == ["no-run"] or (needed and not needed()):
                document.skipped.append(where)
            elif needed:
                parse_block(document, name, first + 1, block)
            elif words[1:] == ["numbers"]:
                parse_block(document, name, first + 1, block, any_numbers=True)
            elif words[1:]:
                document.problems.append(f"{where}: unknown word after console: {words[1]}")
            else:
                parse_block(document, name, first + 1, block)
        position += 1
    return document


def parse_block(document, name, first_line, block, any_numbers=False):
    command = None
    joining = False
    for number, line in enumerate(block, first_line):
        status = STATUS.match(line)
        if joining:
            command.text += "\n" + line
            joining = line.endswith("\\")
        elif line.startswith("$ "):
            command = Command(name, number, line[2:], any_numbers=any_numbers)
            document.commands.append(command)
            joining = line.endswith("\\")
        elif command is None:
            document.problems.append(f"{name}:{number}: a console block starts with '$ COMMAND'")
            return
        elif status:
            command.status = int(status.group(1))
        elif line.strip() not in ("", "..."):
            command.expected.append((number, line))


def parse_notebook(name, text):
    """(its only command, what its reader reads)"""
    command = f"build/venv/bin/python docs/run_notebook.py {name}"
    return Document([Command(name, 1, command)]), text_of(text)


def single_spaced(line):
    return " ".join(line.split())


def first_missing(expected, output, any_numbers=False):
    """The first expected line that does not come in its turn, or None."""
    if any_numbers:
        expected = [(number, NUMBER.sub("0", line)) for number, line in expected]
        output = [NUMBER.sub("0", line) for line in output]
    remaining = iter([single_spaced(line) for line in output])
    for number, line in expected:
        parts = [re.escape(part) for part in single_spaced(line).split("...")]
        pattern = re.compile(".*".join(parts))
        if not any(pattern.fullmatch(candidate) for candidate in remaining):
            return number, line
    return None


def run(command, folder, timeout):
    """None if the document is right, else the problem."""
    process = subprocess.Popen(
        ["bash", "-c", command.text],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    serves = command.is_example and SERVES.match(command.text)
    try:
        output, _ = process.communicate(timeout=SERVES_SECONDS if serves else timeout)
    except subprocess.TimeoutExpired:
        if serves:
            os.killpg(process.pid, signal.SIGTERM)
            output, _ = process.communicate(timeout=SERVES_SECONDS)
            return None if not LACKS.search(output.decode(errors="replace")) else f"{output}"
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"still running after {timeout} s"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    lines = output.decode(errors="replace").splitlines()
    shown = "".join(f"\n    | {line}" for line in lines[-SHOWN_LINES:])
    if process.returncode != command.status:
        return f"status {process.returncode}, expected {command.status}; its output:{shown}"
    if command.is_example and LACKS.search("\n".join(lines)):
        return f"something is missing; its output:{shown}"
    missing = first_missing(command.expected, lines, command.any_numbers)
    if missing:
        return (
            f"the output lacks, in order, line {missing[0]} of the document:"
            f"\n    - {missing[1]}\n  what it printed:{shown}"
        )
    return None


def run_until_quiet(command, folder, timeout):
    """The same; once more, and again, while the machine is too busy for what the command measures."""
    for pause in BUSY_PAUSES_S:
        problem = run(command, folder, timeout)
        if not problem or TOO_BUSY not in problem:
            return problem
        time.sleep(pause)
    return run(command, folder, timeout)


def dead_references(name, text, tree):
    """Files that a document names and that are not there. What a command makes may be missing: build/, names in capitals,
    and NOTEBOOK.md."""
    folders = (tree / name).parent, tree, tree / "docs"
    text = CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
    for number, line in enumerate(text.splitlines(), 1):
        links = [link for link in LINK.findall(line) if ":" not in link]
        for target in links + NAMED_FILE.findall(line):
            if "NAME" in target or target.endswith("NOTEBOOK.md") or target.startswith("data/out"):
                continue
            if not any((folder / target).exists() for folder in folders):
                yield f"{name}:{number}: there is no file {target}"


def check(name, text, folder, timeout=TIMEOUT_SECONDS, report=print, here=False):
    """Runs a document; returns (its commands, problems, skipped). Commands get their seconds."""
    if name.endswith(".ipynb"):
        document, text = parse_notebook(name, text)
    else:
        document = parse(name, text, here)
    problems = [*document.problems, *dead_references(name, text, Path(folder))]
    for command in document.commands:
        start = time.monotonic()
        problem = run_until_quiet(command, folder, timeout)
        command.seconds = time.monotonic() - start
        if problem and TOO_BUSY in problem:
            document.skipped.append(f"{name}:{command.line} (the machine stayed busy)")
        elif problem:
            problems.append(f"{name}:{command.line}: $ {command.text}\n  {problem}")
    for problem in problems:
        report(problem)
    return document.commands, problems, document.skipped


def files_of_the_tree():
    """From git; in a lab unpacked from an archive, all files except built ones."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode != 0:
        paths = [
            path.relative_to(ROOT)
            for top in ROOT.iterdir()
            if top.name != "build"
            for path in ([top] if top.is_file() else top.rglob("*"))
        ]
        return {str(path) for path in paths if (ROOT / path).is_file() and path.suffix != ".pyc"}
    return {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}


# What the commands start, so that none of them compiles. No document needs a GPU's programs.
USED_BY_DOCUMENTS = {
    "release": [
        "part1_naive",
        "part1_mine",
        "part2_naive",
        "part2_mine",
        "check",
        "bench",
        "ceilings",
        "part1_worksheet_program",
        "part2_worksheet_program",
        "part3_worksheet_program",
        "part1_naive_count",
        "part2_naive_count",
        "part1_naive_double",
        "part1_mine_double",
        "part2_mine_double",
        "part3_on_cpu_mine",
        "part3_on_cpu_mine_double",
        "part3_on_cpu_naive",
        "part3_on_cpu_naive_double",
        "gprof_part1_naive",
        "gprof_part2_naive",
        "gprof_part2_mine",
        "gprof_debug_part1_naive",
    ],
}


def fresh_copy():
    copy_tree(files_of_the_tree(), COPY, ROOT)
    environment = COPY / "build/venv"
    if (
        environment.is_dir() and not environment.is_symlink()
    ):  # of the suite `fresh`: it cannot draw
        shutil.rmtree(environment)
    link_tools(COPY, ROOT)
    return COPY


def build():
    """A command of a document has a time limit; building has none."""
    copy = fresh_copy()
    for preset, targets in USED_BY_DOCUMENTS.items():
        folder = "build/" + preset.replace("-", "_")
        status = subprocess.run(["cmake", "--preset", preset], cwd=copy, check=False).returncode
        status = (
            status
            or subprocess.run(["ninja", "-C", folder, *targets], cwd=copy, check=False).returncode
        )
        if status != 0:
            return status
    return 0


def all_documents():
    """Their names, from the top of the tree."""
    found = (path for pattern in DOCUMENTS for path in sorted(ROOT.glob(pattern)))
    return [str(path.relative_to(ROOT)) for path in found]


def check_documents(names, here=False):
    """`here`: in the tree itself, else in a copy."""
    tree = ROOT if here else fresh_copy()
    names = names or all_documents()
    ran, problems, skipped = [], [], []
    for name in names:
        path = ROOT / name
        if not path.is_file():
            sys.exit(f"run_docs: there is no document {name}")
        if not here:
            fresh_copy()  # a document does not see what another one wrote
        commands, wrong, left_out = check(name, path.read_text(), tree, here=here)
        print(
            f"{name}: {len(commands)} commands in {sum(one.seconds for one in commands):.0f} s, {len(wrong)} problems",
            flush=True,
        )
        ran, problems, skipped = ran + commands, problems + wrong, skipped + left_out
    for where in skipped:
        print(f"skipped, no-run, no GPU, valgrind or ncu: {where}")
    for command in sorted(ran, key=lambda one: one.seconds, reverse=True)[:SLOWEST]:
        print(
            f"{command.seconds:4.0f} s  {command.document}:{command.line}: $ {command.text.splitlines()[0]}"
        )
    print(
        f"{len(names)} documents, {len(ran)} commands, {len(problems)} problems, {len(skipped)} skipped"
    )
    return 1 if problems else 0


# Text of a document, then the start of its only problem, or None.
SELF_TESTS = {
    "right": ("$ echo one; echo two\none\ntwo", None),
    "gap": ("$ printf 'a\\nb\\nc\\n'\na\nc", None),
    "free number": ("$ echo took 12.5 ms, fine\ntook ... ms, fine", None),
    "blanks": ("$ echo 'a     b'\na b", None),
    "joined": ("$ echo a \\\n    b\na b", None),
    "status": ("$ echo no >&2; exit 2\n# status 2\nno", None),
    "wrong line": (
        "$ echo one\nthree",
        "doc.md:2: $ echo one\n  the output lacks, in order, line 3",
    ),
    "part of a line": ("$ echo one two\none", "doc.md:2:"),
    "wrong order": (
        "$ echo one; echo two\ntwo\none",
        "doc.md:2: $ echo one; echo two\n  the output lacks, in order, line 4",
    ),
    "twice": ("$ echo one\none\none", "doc.md:2:"),
    "a dot is a dot": ("$ echo 1x5\n1.5", "doc.md:2:"),
    "wrong status": ("$ true\n$ exit 3", "doc.md:3: $ exit 3\n  status 3, expected 0"),
    "unexpected success": ("$ true\n# status 1", "doc.md:2: $ true\n  status 0, expected 1"),
    "hang": ("$ sleep 60", "doc.md:2: $ sleep 60\n  still running after 1 s"),
    "no command": ("echo one", "doc.md:2: a console block starts"),
}


def self_test():
    failures = 0

    def expect(name, condition, got):
        nonlocal failures
        if not condition:
            failures += 1
            print(f"self test '{name}' failed: {got}")

    with tempfile.TemporaryDirectory() as folder:
        for name, (block, wanted) in SELF_TESTS.items():
            _, problems, _ = check(
                "doc.md",
                f"```console\n{block}\n```\n",
                folder,
                timeout=1 if name == "hang" else 60,
                report=lambda problem: None,
            )
            if wanted is None:
                expect(name, not problems, problems)
            else:
                expect(name, len(problems) == 1 and problems[0].startswith(wanted), problems)
        for shown, right in (("part1: 12 in 7e-01 s", True), ("part2: 3 in 1.5 s", False)):
            text = f"```console numbers\n$ echo part1: 3 in 1.5 s\n{shown}\n```\n"
            problems = check("doc.md", text, folder, report=lambda problem: None)[1]
            expect(f"numbers: {shown}", (not problems) == right, problems)
        others = (
            "```sh\n$ false\n```\n```console no-run\n$ false\n```\n```console typo\n$ true\n```\n"
        )
        commands, problems, skipped = check("doc.md", others, folder, report=lambda problem: None)
        told = [
            check(
                "doc.md", f"```console no-run\n$ {command}\n```\n", folder, here=True, report=str
            )[1]
            for command in ("echo right", "echo gprof is missing", "false")
        ]
        expect("no-run", [len(problems) for problems in told] == [0, 1, 1], told)
        expect(
            "other blocks",
            not commands
            and skipped == ["doc.md:4"]
            and problems == ["doc.md:7: unknown word after console: typo"],
            (commands, problems, skipped),
        )
        Path(folder, "there.md").touch()
        code = "```cpp\nauto f = [](real x) { return x; };\n```\n"
        names = "`there.md` [a](there.md) [b](https://x.org/y.md) `docs/NAME.md`\n`docs/no.md`\n[c](no.md)\n"
        problems = check("doc.md", names + code, folder, report=lambda problem: None)[1]
        expect(
            "dead references",
            problems
            == ["doc.md:2: there is no file docs/no.md", "doc.md:3: there is no file no.md"],
            problems,
        )
    print(f"self test: {len(SELF_TESTS) + 5} cases, {failures} failures")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments == ["--build"]:
        return build()
    how, names = "", arguments
    if arguments[:1] in (["--here"], ["--but"]):
        how, *names = arguments
    if any(name.startswith("-") for name in names):
        print(
            "usage: docs/run_docs.py [[--here | --but] FILE...] | --build | --self-test",
            file=sys.stderr,
        )
        return 2
    if how == "--but":
        names = [name for name in all_documents() if name not in names]
    return check_documents(names, here=how == "--here")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
