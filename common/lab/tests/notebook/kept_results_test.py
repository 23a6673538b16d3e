"""Do results of commands stay in build/ with the seal of their source, and nothing else?"""

import contextlib
import io
import json
from pathlib import Path
from unittest import mock

from nbody_lab.commands import check as check_command
from nbody_lab.core.messages import Failure
from nbody_lab.notebook import kept_results
from nbody_lab.notebook.kept_results import (
    Asked,
    keep,
    keep_verdicts,
    seal_of,
    take_json,
    without_json,
)
from tests.folder_for_tests import InFolder


def case(verdict):
    return {
        "group": "forces",
        "scene": "equal",
        "n": 7,
        "seed": 1,
        "error": 1e-7,
        "limit": 1e-5,
        "verdict": verdict,
        "detail": "",
        "diagnosis": "",
    }


def said(*verdicts):
    """A result as check --json writes it."""
    return {
        "tolerance": "standard",
        "precision": "float",
        "seed": 1,
        "implementations": [
            {
                "part": "part1",
                "name": "mine",
                "verdict": "FAILED",
                "as_expected": False,
                "worst_share_of_limit": 0.5,
                "cases": [case(verdict) for verdict in verdicts],
            }
        ],
    }


class FakeLab:
    """A fake ./lab for a part with one header; its check program writes `told`."""

    made_for = ""
    part, build, manifest = "part1", Path("build"), "manifest"

    def __init__(self, folder):
        self.file = Path(folder, "mine.hpp")

    def row(self, _):
        return {"source": "part1/mine.hpp"}

    def source(self, _):
        return self.file

    def names(self, kind=None):
        return ["mine"] if kind != "naive" else []

    def program(self, _):
        return "bin/part1/mine"

    def choose_part(self, _, words):
        return words[1:]

    def on_gpu(self):
        return False

    def has_kernels(self):
        return False

    def double_targets(self, *_):
        return []

    def demand_targets(self, *_):
        """Simulates saving the file during the build."""
        self.file.write_text("later")

    begin = unlock = demand_name = show_warnings_again = lambda *_: None


class KeptResultsTest(InFolder):
    def read(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def test_a_record_says_when_and_of_which_text(self):
        (self.folder / "mine.hpp").write_text("one")
        seal = seal_of(self.folder / "mine.hpp")
        keep(self.folder / "new/part1_mine.json", "verdict", "mine.hpp", seal, verdict="passed")
        record = self.read("new/part1_mine.json")
        self.assertEqual(
            (record["what"], record["version"], record["source_sha256"], record["verdict"]),
            ("verdict", 1, seal, "passed"),
        )
        self.assertRegex(record["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$")
        (self.folder / "mine.hpp").write_text("two")
        self.assertNotEqual(seal_of(self.folder / "mine.hpp"), seal)
        self.assertEqual(seal_of(self.folder / "nothing"), "")

    def test_where_nothing_can_be_written_the_command_goes_on(self):
        (self.folder / "file").write_text("")
        keep(self.folder / "file/part1_mine.json", "verdict", "", "")

    def test_a_verdict_keeps_some_of_the_cases_that_failed(self):
        keep_verdicts(
            self.folder,
            said("passed", *["failed"] * 5),
            {"mine": ("part1/mine.hpp", "abc")},
            ["--largest", "7", "--json", "x"],
        )
        record = self.read("part1_mine.json")
        self.assertEqual((record["cases"], record["failed"], len(record["examples"])), (6, 5, 3))
        self.assertEqual(
            (record["source"], record["source_sha256"], record["options"]),
            ("part1/mine.hpp", "abc", ["--largest", "7"]),
        )

    def test_no_verdict_where_nothing_was_said(self):
        keep_verdicts(self.folder, None, {}, [])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_options(self):
        self.assertEqual(take_json(["--seed", "3", "--json", "a"]), Path("a"))
        self.assertEqual(take_json(["--json=a"]), Path("a"))
        self.assertIsNone(take_json(["--seed", "3"]))
        self.assertEqual(
            without_json(["-v", "--json", "a", "--seed", "3", "--json=b"]), ["-v", "--seed", "3"]
        )

    def test_our_own_file_goes_again_and_that_of_the_user_stays(self):
        with Asked(self.folder / "new", []) as asked:
            Path(asked.words[1]).write_text('{"a": 1}')
            self.assertEqual(asked.said(), {"a": 1})
        self.assertEqual(list((self.folder / "new").iterdir()), [])
        own = self.folder / "own.json"
        own.write_text("older")
        with Asked(self.folder, ["--json", str(own)]) as asked:
            self.assertEqual((asked.words, asked.said()), ([], None))
        self.assertTrue(own.exists())

    def test_check_keeps_its_verdict_of_the_text_before_it_was_built(self):
        lab = FakeLab(self.folder)
        lab.file.write_text("now")
        seal = seal_of(lab.file)

        def run(words, become):
            self.assertFalse(become)
            Path(words[words.index("--json") + 1]).write_text(json.dumps(said("failed")))
            return 1

        with (
            mock.patch.object(check_command, "VERDICTS", self.folder / "verdicts"),
            mock.patch.object(check_command, "run_program", run),
            mock.patch.object(check_command, "remember_checked", lambda *_: None),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            with self.assertRaises(Failure) as ended:
                check_command._judge(lab, ["mine"], [], False, False)
            self.assertEqual(ended.exception.status, 1)
        record = self.read("verdicts/part1_mine.json")
        self.assertEqual(
            (record["verdict"], record["source"], record["source_sha256"]),
            ("FAILED", "part1/mine.hpp", seal),
        )
        self.assertNotEqual(seal_of(lab.file), seal)
        self.assertEqual(kept_results.VERSION, record["version"])
