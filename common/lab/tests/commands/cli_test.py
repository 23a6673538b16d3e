"""The command line: help, unknown words, a fresh clone, a machine without Python."""

import contextlib
import importlib
import io
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from nbody_lab import ROOT, workshop
from nbody_lab import cli as main
from nbody_lab.commands import begin as commands_build
from nbody_lab.core import messages, words
from nbody_lab.core.manifest import ManifestError
from nbody_lab.core.tree_copy import link_tools

SOURCES = ROOT / "common/lab/src/nbody_lab"


def lab(*words, path=None, root=ROOT):
    environment = {**os.environ, **({"PATH": path} if path else {})}
    return subprocess.run(
        [shutil.which("bash"), root / "lab", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


class PromisedHelpTest(unittest.TestCase):
    def test_who_promises_more_help_has_it(self):
        for name, command in main.COMMANDS.items():
            if any("more: -h" in what for _, what in command[-1]):
                self.assertIn(name, main.HAVE_HELP_OF_THEIR_OWN)


class MainTest(unittest.TestCase):
    def test_every_command_has_a_function_and_a_line_of_help(self):
        text = main.help_text()
        for name, command in main.COMMANDS.items():
            self.assertIn(f"\n  {name}", text)
            if command.module:
                self.assertTrue(
                    callable(
                        getattr(
                            importlib.import_module(f"nbody_lab.{command.module}"), command.function
                        )
                    ),
                    name,
                )

    def test_the_help_fits_100_columns(self):
        self.assertLessEqual(max(map(len, main.help_text().splitlines())), 100)

    def test_help_has_three_names(self):
        for word in ("help", "-h", "--help"):
            run = lab(word)
            self.assertEqual((run.returncode, run.stdout), (0, main.help_text() + "\n"))

    def test_unknown_words_suggest_the_nearest(self):
        run = lab("chekc", "part1")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(run.stderr, r"^lab: unknown command 'chekc'; did you mean check\?\n$")
        self.assertRegex(
            lab("xyzzy").stderr, r"^lab: unknown command 'xyzzy'; \./lab help lists them\n$"
        )
        self.assertEqual(words.nearest("fusedd", ["naive", "fused"]), "; did you mean fused?")
        self.assertEqual(words.nearest("xyz", ["naive", "fused"]), "")
        for typed, meant in (("rum", "run"), ("rnu", "run"), ("tyr", "try"), ("lis", "list")):
            self.assertEqual(words.nearest(typed, main.COMMANDS), f"; did you mean {meant}?")
        for typed in ("xyz", "go", "cat"):
            self.assertEqual(words.nearest(typed, main.COMMANDS), "", typed)

    def test_every_command_explains_itself_without_building(self):
        for name in set(main.COMMANDS) - {
            "plot",
            "devices",
        }:  # those two are programs, which must be built first
            for words_of_help in ((name, "-h"), ("help", name)):
                run = lab(*words_of_help)
                self.assertEqual((run.returncode, run.stderr), (0, ""), words_of_help)
                self.assertIn(name, run.stdout)

    def test_the_help_of_the_demo_has_its_options(self):
        shown = lab("demo", "--help").stdout
        self.assertEqual(
            set(re.findall(r"^  (--\w+)", shown, re.M)), set(commands_build.OPTIONS_OF_DEMO)
        )
        self.assertEqual(lab("demo", "-h").stdout, shown)

    def test_the_demo_refuses_data_without_its_bodies(self):
        self.assertEqual(
            lab("demo", "--data", "docs").stderr, "lab: demo: --data docs has no solar_system.dat\n"
        )

    def test_bash_completes(self):
        script = f"""eval "$({ROOT}/lab completion)"
            COMP_WORDS=({ROOT}/lab chec) COMP_CWORD=1; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab check pa) COMP_CWORD=2; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab check part1 --se) COMP_CWORD=3; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab check part1 mine --san) COMP_CWORD=4; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab hint part1 8) COMP_CWORD=3; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab test sani) COMP_CWORD=2; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab bench part3 --study s) COMP_CWORD=4; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab bench part1 --study "") COMP_CWORD=4; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab run part1 naive --scene l) COMP_CWORD=5; _lab; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=({ROOT}/lab machine p) COMP_CWORD=2; _lab; echo "${{COMPREPLY[@]}}" """
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        self.assertEqual(
            run.stdout.splitlines(),
            [
                "check",
                " ".join(workshop.known_parts()),
                "--seed --seeds",
                "--sanitize",
                "8a 8b 8c 8d",
                "sanitizers sanitized-tests",
                "sizes switch",
                "compilers",
                "lagrange",
                "",
            ],
            run.stderr,
        )

    def test_a_part_is_demanded_and_must_exist(self):
        self.assertEqual(
            lab("run").stderr,
            "lab: run needs a part, for example: ./lab run part1 naive -n 1000 -i 10 -v "
            f"(parts: {' '.join(workshop.known_parts())})\n",
        )
        run = lab("check", "part7")
        self.assertEqual(run.returncode, 2)
        self.assertIn("there is no part 'part7'; parts: part1 part2 part3", run.stderr)

    def test_undo_knows_the_versions_there_are(self):
        run = lab("undo", "part1", "nope")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(
            run.stderr, r"^lab: you have no version 'nope' in part1; you have: .*\bmine\b.*\n$"
        )

    def test_stray_words_are_refused(self):
        self.assertEqual(
            lab("demo", "part3").stderr,
            "lab: demo shows part 1 and takes no 'part3'; it has --data, --json, --plot\n",
        )
        self.assertEqual(
            lab("next", "part1", "part2").stderr,
            "lab: next takes one part at most: ./lab next [PART]\n",
        )
        self.assertEqual(
            lab("doctor", "part1").stderr, "lab: doctor takes no arguments: leave out 'part1'\n"
        )

    def test_a_fresh_clone_says_where_to_begin(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(ROOT / "lab", folder)
            shutil.copytree(ROOT / "common/lab/src", Path(folder, "common/lab/src"))
            shutil.copytree(ROOT / "common/setup", Path(folder, "common/setup"))
            link_tools(folder, ROOT)
            run = lab(root=Path(folder))
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn("./lab demo", run.stdout)

    def test_a_link_finds_the_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "lab", Path(folder, "lab"))
            self.assertEqual(lab("help", root=Path(folder)).returncode, 0)

    def test_without_python_it_says_what_to_do(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("bash", "dirname", "readlink", "cmp"):
                os.symlink(shutil.which(name), Path(folder, name))
            tree = Path(folder, "tree")  # with no environment yet
            shutil.copytree(ROOT / "common/setup", tree / "common/setup")
            shutil.copy(ROOT / "lab", tree)
            run = lab("check", "part1", path=folder, root=tree)
            self.assertEqual(
                (run.returncode, run.stderr), (2, "lab: python3 is missing; run: ./lab setup\n")
            )

    def test_a_reader_that_has_seen_enough_is_no_fault(self):
        run = subprocess.run(
            f"{ROOT}/lab help | head -n 1", shell=True, capture_output=True, text=True, check=False
        )
        self.assertEqual((run.stdout, run.stderr), ("usage: ./lab COMMAND\n", ""))


class EndingsTest(unittest.TestCase):
    def test_what_is_wrong_for_a_user_is_one_line_and_no_traceback(self):
        def faulty():
            raise ManifestError("part1 has no 'mine'")

        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(messages.ended(faulty), 2)
        self.assertEqual(said.getvalue(), "lab: part1 has no 'mine'\n")

    def test_every_exception_of_the_lab_is_such_a_line(self):
        """A class derived from Exception itself would end ./lab with a traceback. The grader catches its own."""
        found = [
            f"{file.relative_to(SOURCES)}: {line}"
            for file in SOURCES.rglob("*.py")
            if "grade" not in file.parts
            for line in re.findall(
                r"^class \w+\((?:Exception|ValueError|RuntimeError)\)",
                file.read_text(encoding="utf-8"),
                re.M,
            )
        ]
        self.assertEqual(
            sorted(found),
            [
                "core/messages.py: class Failure(Exception)",
                "core/messages.py: class UserError(Exception)",
            ],
        )


class WordsTest(unittest.TestCase):
    def test_names_come_with_or_without_their_extension(self):
        self.assertEqual(
            [words.plain_name(word) for word in ("mine", "mine.hpp", "mine.cuh", "mine_a.b")],
            ["mine", "mine", "mine", "mine_a.b"],
        )

    def test_double_is_asked_for_in_two_ways(self):
        self.assertTrue(words.asks_for_double(["-n", "5", "--precision", "float,double"]))
        self.assertTrue(words.asks_for_double(["--precision=double"]))
        self.assertFalse(words.asks_for_double(["--precision", "float", "double"]))

    def test_names_stand_before_options(self):
        self.assertEqual(
            words.leading_names(["mine.hpp", "naive", "-n", "5"]), (["mine", "naive"], ["-n", "5"])
        )
        self.assertEqual(words.one_name(["--debug"]), ("naive", ["--debug"]))

    def test_a_study_needs_a_name(self):
        from nbody_lab.commands.bench import take_study
        from nbody_lab.core.messages import Failure

        self.assertEqual(
            take_study(["--study", "sizes", "--plot", "x"]), ("sizes", ["--plot", "x"])
        )
        with self.assertRaises(Failure), contextlib.redirect_stderr(io.StringIO()) as said:
            take_study(["--study"])
        self.assertEqual(said.getvalue(), "lab: bench --study needs the name of a study\n")
