"""./lab roofline as a command: what it measures, leaves out, writes, and refuses with one line and status 2."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from nbody_lab.commands import roofline as command
from nbody_lab.core.manifest import Program
from nbody_lab.core.messages import ended
from nbody_lab.roofline import points
from nbody_lab.roofline import points as stored
from nbody_lab.worksheet.roofline_inputs import NoInput
from tests.folder_for_tests import InFolder
from tests.roofline import roofline_for_tests as made

HERE = Path(__file__).resolve().parent

CLASSES = {
    key: {"polynomial": {"n2": amount, "n": 0, "1": 0, "over": 1}, "counted": {}}
    for key, amount in made.FUSED.items()
}


class Lab:
    """A part with a few implementations, and a fake bench."""

    def __init__(self, folder):
        self.part, self.build, self.manifest, self.said = (
            "part1",
            Path(folder),
            Path(folder, "manifest.json"),
            [],
        )
        kinds = {
            "naive": "naive",
            "mine": "mine",
            "fused": "rung",
            "openmp": "rung",
            "race": "exhibit",
            "lost": "rung",
        }
        self.table = [
            {
                "name": name,
                "kind": kind,
                "flags": "-O3 -fopenmp",
                "count": {"result": "x"} if name != "lost" else None,
                "programs": [Program(precision="float", program=name)],
            }
            for name, kind in kinds.items()
        ]

    def rows(self):
        return self.table

    def row(self, name):
        return next(row for row in self.table if row["name"] == name)

    def program(self, name):
        return name

    def of_part(self, _):
        return ""

    def source(self, name):
        """Only mine has a source."""
        return Path(__file__) if name == "mine" else self.build / f"{name}.hpp"

    def targets(self, name, _):
        return [name]

    def demand_part(self):
        pass

    demand_name = demand_targets = on_gpu = unlock = begin = lambda self, *words: None
    all_compiles = True

    def build_targets(self, *_):
        return self.all_compiles

    def choose_part(self, _, words):
        return words[1:]

    def works(self, label, *words):
        """Plays bench: status 1 if an answer is wrong."""
        self.said.append(label)
        words = [str(word) for word in words]
        names, threads = (
            words[2 : words.index("--manifest")],
            int(words[words.index("--threads") + 1]),
        )
        rows = [
            {
                "name": name,
                "precision": "float",
                "threads": threads,
                "verdict": "wrong" if name == "race" else "right",
                "interactions_per_s": {"median": 3e8 * threads},
                "busy_machine": name == "openmp",
            }
            for name in names
        ]
        Path(words[words.index("--json") + 1]).write_text(
            json.dumps({"context": {}, "summary": rows})
        )
        return all(row["verdict"] == "right" for row in rows)


class CommandTest(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "ceilings.json").write_text(json.dumps(made.ceilings_of_processor()))
        (self.folder / "counts.json").write_text(json.dumps({"work": {"fixed_step": CLASSES}}))
        self.hidden = []
        for target, name, value in (
            (command, "FOLDER", self.folder),
            (points, "FOLDER", self.folder),
            (command, "ROOT", self.folder),
            (command, "known_ceilings", lambda _: self.folder / "ceilings.json"),
            (command.pictures, "can_draw", lambda: False),
            (points, "count_to_file", lambda *_: None),
            (points, "hidden_counts", lambda _: self.hidden),
            (points, "counts_of", lambda *_: self.folder / "counts.json"),
        ):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def run_command(self, *words):
        """(status, output, messages)"""
        printed, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
            status = ended(command.roofline, Lab(self.folder), list(words))
        return status, printed.getvalue(), said.getvalue()

    def written(self, stem="part1"):
        return json.loads((self.folder / f"{stem}.json").read_text())

    def names(self, stem="part1"):
        return [one["name"] for one in self.written(stem)["points"]]

    def left_out(self):
        return {left["name"]: left["why"] for left in self.written()["left_out"]}

    def test_without_names_all_but_exhibits(self):
        status, printed, said = self.run_command("part1")
        self.assertEqual((status, self.names()), (0, ["naive", "mine", "fused", "openmp"]), said)
        self.assertEqual(self.left_out(), {"lost": "not counted"})
        self.assertIn("part1.json and .csv", printed)
        self.assertEqual(
            [one["name"] for one in self.written()["points"] if one["busy_machine"]], ["openmp"]
        )
        self.assertEqual(
            {one["name"]: len(one["source_sha256"]) for one in self.written()["points"]}["mine"], 64
        )
        self.assertEqual(
            sorted(path.name for path in self.folder.iterdir()),
            ["ceilings.json", "counts.json", "part1.csv", "part1.json"],
        )

    def test_a_selection_leaves_the_whole_as_it_is(self):
        self.run_command("part1", "mine")
        self.assertEqual(self.names(), ["mine"])
        self.run_command("part1")
        whole = (self.folder / "part1.json").read_bytes()
        _, printed, _ = self.run_command("part1", "naive", "mine")
        self.assertEqual(
            ((self.folder / "part1.json").read_bytes(), self.names("part1_selection")),
            (whole, ["naive", "mine"]),
        )
        self.assertIn("part1_selection.json and .csv", printed)
        self.run_command("part1", "-n", "1000")
        self.assertEqual(self.written()["n"], 1000)

    def test_options_may_stand_before_the_part(self):
        self.assertEqual(self.run_command("-n", "1000", "part1", "mine")[0], 0)
        self.assertEqual((self.names(), self.written()["n"]), (["mine"], 1000))

    def test_what_is_hidden_is_nowhere(self):
        self.hidden = ["naive"]
        _, printed, _ = self.run_command("part1", "naive", "mine")
        self.assertEqual(self.names(), ["mine"])
        self.assertIn("left out: naive: counts are hidden", printed)
        self.assertNotIn("naive", (self.folder / "part1.csv").read_text())

    def test_with_nothing_to_place_the_ceilings_are_shown(self):
        self.hidden = ["naive", "mine"]
        status, printed, _ = self.run_command("part1", "naive", "mine")
        self.assertEqual((status, self.names()), (0, []))
        self.assertIn("AVX2 48.0 Gflop/s", printed.replace("\n           ", " "))

    def test_what_is_wrong_has_no_point(self):
        self.run_command("part1", "race")
        self.assertEqual((self.names(), self.left_out()), ([], {"race": "the bench says: wrong"}))

    def test_what_does_not_compile_ends_it_only_where_it_was_asked_for(self):
        with mock.patch.object(Lab, "all_compiles", False):
            self.assertEqual(self.run_command("part1", "mine")[0], 1)
            self.assertFalse((self.folder / "part1.json").exists())
            status, _, said = self.run_command("part1")
        self.assertEqual((status, len(self.names())), (0, 4))
        self.assertIn("continuing without what did not compile", said)

    def test_all_threads(self):
        (self.folder / "fused").write_bytes(b"no threads")
        (self.folder / "openmp").write_bytes(b"it calls GOMP_parallel here")
        self.run_command("part1", "fused", "openmp", "--threads", "all")
        fused, openmp = self.written("part1_all_threads")["points"]
        self.assertEqual((fused["threads"], openmp["threads"]), (1, 2))
        self.assertEqual(openmp["roof_flops_per_s"], 2 * fused["roof_flops_per_s"])

    def test_saved_files_are_shown_without_measuring(self):
        file = self.folder / "older.json"
        file.write_text(json.dumps(made.roofline()))
        with (
            mock.patch.object(command, "roofline_here", None),
            mock.patch.object(command, "ceilings_of", None),
        ):
            status, printed, said = self.run_command("part1", "--from", str(file))
        self.assertEqual(status, 0, said)
        self.assertIn("third_law", printed)
        self.assertTrue((self.folder / "older.csv").exists())
        self.assertIn("is for part1, not part2", self.of_another_part(file))

    def of_another_part(self, file):
        with mock.patch.object(
            Lab, "choose_part", lambda lab, _, words: setattr(lab, "part", "part2") or words[1:]
        ):
            return self.run_command("part2", "--from", str(file))[2]

    def test_bad_words_are_one_line(self):
        for words, wanted in (
            (
                ("part1", "--threads", "3"),
                "--threads takes 1 or 2 (their ceilings were measured) or all, not '3'",
            ),
            (("part1", "-n", "1"), "argument -n"),
            (("part1", "--quick"), "unrecognized arguments: --quick"),
            (("part1", "--from", "/no/such.json"), "/no/such.json cannot be read"),
            (("part1", "-n"), "expected one argument"),
        ):
            status, printed, said = self.run_command(*words)
            self.assertEqual((status, printed, said.count("\n")), (2, "", 1), said)
            self.assertIn(wanted, said)

    def test_a_broken_file_of_ceilings_is_one_line(self):
        (self.folder / "ceilings.json").write_text("{}")
        status, _, said = self.run_command("part1", "mine")
        self.assertEqual((status, said.count("\n")), (2, 1))

    def test_help(self):
        status, printed, _ = self.run_command("-h")
        self.assertEqual(status, 0)
        self.assertLessEqual(max(map(len, printed.splitlines())), 100)


class OnGpuTest(unittest.TestCase):
    def test_a_point_knows_what_the_bound_found(self):
        with tempfile.TemporaryDirectory() as folder:
            lab = Lab(folder)
            counts = points.counts_of(lab, "fused")
            counts.parent.mkdir(parents=True)
            counts.write_text(json.dumps({"work": {"fixed_step": CLASSES}}))
            setting = {"where": "gpu 0", "precision": "float", "threads": 0, "n": 4096}
            bound = Path(folder, "bound.json")
            bound.write_text(
                json.dumps(
                    {"precision": "float", "limit": "slots", "bound_interactions_per_s": 5e11}
                )
            )
            with mock.patch.object(points, "bound_file", lambda *_: bound):
                one = points.placed(lab, "fused", 4e11, setting, made.ceilings_like_h200())
            self.assertEqual((one["limiter"], one["share_of_limit"]), ("issuing instructions", 0.8))
            bound.unlink()
            with mock.patch.object(points, "bound_file", lambda *_: bound):
                one = points.placed(lab, "fused", 4e11, setting, made.ceilings_like_h200())
            self.assertNotIn("issuing instructions", [limit["name"] for limit in one["limits"]])


class StoredTest(InFolder):
    """Committed speeds and counts of part 3, under the test ceilings."""

    def setUp(self):
        super().setUp()
        self.file = self.folder / "ceilings.json"
        self.file.write_text(json.dumps(made.ceilings_like_h200()))
        self.lab = Lab(str(self.folder))
        self.lab.part = "part3"

    def stored(self, *names, hidden=(), precision="float"):
        with mock.patch.object(stored, "hidden_counts", lambda _: hidden):
            return stored.stored(self.lab, list(names), precision, self.file)

    def test_what_was_counted_there_has_a_point(self):
        data = self.stored()
        self.assertEqual(
            [one["name"] for one in data["points"]],
            ["naive", "resident", "rsqrt", "ftz", "float4", "grid_stride", "tiles", "unrolled"],
        )
        self.assertIn("H200", data["machine"])
        self.assertIn(
            "no GPU answers here: these are the figures of data/results, measured on",
            data["notes"][0],
        )
        self.assertIn("without a GPU: ./lab bound part3 mine", data["notes"][1])
        naive = data["points"][0]
        self.assertAlmostEqual(naive["intensity"], 21 / 28, 3)
        self.assertEqual(data["n"], 131072)

    def test_without_ceilings_of_one_it_says_so(self):
        self.file.unlink()
        with self.assertRaisesRegex(
            NoInput,
            "^no GPU answers here, and data/results has no ceilings.json: measure on a machine with a GPU$",
        ):
            self.stored()

    def test_a_handout_has_the_ceilings_alone(self):
        (Path(self.lab.build) / "ceilings.json").replace(Path(self.lab.build) / "kept.json")
        with mock.patch.object(stored, "RESULTS", Path(self.lab.build)):
            self.file = Path(self.lab.build) / "kept.json"
            data = self.stored()
        self.assertEqual((data["points"], data["n"]), ([], 131072))
        self.assertIn("these are the ceilings of a GPU of tests", data["notes"][0])

    def test_hidden_counts_stay_hidden(self):
        data = self.stored(hidden=["naive"])
        self.assertNotIn("naive", [one["name"] for one in data["points"]])
        self.assertIn(
            "counts are hidden",
            next(left["why"] for left in data["left_out"] if left["name"] == "naive"),
        )

    def test_names(self):
        data = self.stored("tiles", "best", "mine")
        self.assertEqual([one["name"] for one in data["points"]], ["tiles"])
        self.assertEqual(
            [(left["name"], left["why"].split(",")[0]) for left in data["left_out"]],
            [
                ("best", "was not counted on that GPU"),
                ("mine", "your own code is only counted and timed on a GPU"),
            ],
        )
        self.assertEqual(
            self.stored("tiles", precision="double")["left_out"],
            [{"name": "tiles", "why": "not measured there in double"}],
        )
