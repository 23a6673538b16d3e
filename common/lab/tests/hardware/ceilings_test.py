"""What counts as a ceiling, and how build/ceilings.json is made.

ceilings_test.py [BUILD_FOLDER]
"""

import contextlib
import io
import json
import sys
import unittest
from types import SimpleNamespace
from unittest import mock

from nbody_lab.core.messages import Failure
from nbody_lab.hardware import ceilings
from nbody_lab.hardware.ceilings import add_gpu_rows
from tests import BUILD
from tests.folder_for_tests import InFolder
from tests.hardware.ceilings_for_tests import known, levels, row

FIELDS = [
    "where",
    "kind",
    "name",
    "instruction_set",
    "lanes",
    "operation",
    "level",
    "precision",
    "threads",
    "array_bytes",
    "unit",
    "best",
    "median",
    "spread",
    "is_ceiling",
    "why_not",
]


def verdicts(rows):
    return [one["is_ceiling"] for one in ceilings.judge(rows)]


class JudgeTest(unittest.TestCase):
    def test_a_tenth_of_spread_is_the_limit(self):
        rows = [
            row("flops", "fma", 1e9, spread=spread) for spread in (0.0, 0.1, 0.1001, float("nan"))
        ]
        self.assertEqual(verdicts(rows), [True, True, False, False])
        self.assertEqual(rows[0]["why_not"], "")
        self.assertIn("more than 10 %", rows[2]["why_not"])

    def test_what_the_program_says_stays(self):
        (one,) = ceilings.judge(
            [row("bandwidth", "load", 1e9, level="DRAM", spread=0.5, why_not="no memory was free")]
        )
        self.assertEqual((one["is_ceiling"], one["why_not"]), (False, "no memory was free"))

    def test_levels_in_order(self):
        self.assertEqual(verdicts(levels(9e9, 5e9, 5e9, 1e9)), [True] * 4)

    def test_of_two_levels_out_of_order_none_is_a_ceiling(self):
        rows = levels(9e9, 3e9, 5e9, 1e9)
        self.assertEqual(verdicts(rows[::-1]), [True, False, False, True])
        self.assertIn("L3, farther away, was faster", rows[1]["why_not"])
        self.assertIn("faster than L2", rows[2]["why_not"])

    def test_memory_without_a_third_level_is_compared_with_the_second(self):
        rows = [one for one in levels(9e9, 3e9, 0, 4e9) if one["level"] != "L3"]
        self.assertEqual(verdicts(rows), [True, False, False])

    def test_a_difference_within_the_spread_is_none(self):
        self.assertEqual(verdicts(levels(9e9, 5e9, 1e9, 1.009e9)), [True] * 4)
        self.assertEqual(verdicts(levels(9e9, 5e9, 1e9, 1.02e9)), [True, True, False, False])

    def test_one_thread_whose_array_did_not_fit_where_that_of_all_did(self):
        rows = [
            row("bandwidth", "load", 1e9, level="L3"),
            row("bandwidth", "load", 2.1e9, level="L3", threads=2),
        ]
        self.assertEqual(verdicts(rows), [True, True])
        rows = [
            row("bandwidth", "load", 1e9, level="L3"),
            row("bandwidth", "load", 3e9, level="L3", threads=2),
        ]
        self.assertEqual(verdicts(rows), [False, True])
        self.assertEqual(
            rows[0]["why_not"], "2 threads were 3.0 times as fast: its array did not fit into L3"
        )

    def test_only_like_is_compared(self):
        rows = (
            levels(9e9)
            + levels(9.9e9, 9e9, threads=2)
            + levels(8e9, precision="double")
            + [row("bandwidth", "copy", 50e9, level="L2")]
        )
        self.assertTrue(all(verdicts(rows)))


def program(folder, name, text):
    """A fake program of the lab."""
    file = folder / "bin" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!{sys.executable}\nimport json, sys\n{text}", encoding="utf-8")
    file.chmod(0o755)


def ceilings_program(folder, name, rows):
    program(
        folder,
        f"ceilings_{name}",
        f"""rows = {rows!r}
if "--count" in sys.argv:
    print(len(rows))
else:
    for row in rows:
        print(json.dumps(dict(row, name=" ".join(sys.argv[1:]))))
""",
    )


class FileTest(InFolder):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "ceilings.json"
        self.machine = known([])["machine"]
        program(
            self.folder,
            "machine",
            f"print(json.dumps(dict(machine={self.machine!r}, clock_hz=3e9, prices=[])))",
        )
        ceilings_program(self.folder, "avx512f", [])  # this processor does not support it
        ceilings_program(self.folder, "avx2", levels(9e9, 5e9))
        ceilings_program(self.folder, "scalar", [row("flops", "mul_add", 1e9)])
        self.lab = SimpleNamespace(build=self.folder, demand_targets=lambda *words: None)

    def known(self):
        with (
            mock.patch.object(ceilings, "FILE", self.file),
            contextlib.redirect_stderr(io.StringIO()) as said,
        ):
            ceilings.known_ceilings(self.lab)
        return said.getvalue()

    def content(self):
        return json.loads(self.file.read_text(encoding="utf-8"))

    def test_the_widest_set_there_is_measures_all_levels(self):
        self.assertIn("about a minute", self.known())
        self.assertEqual(
            [one["name"] for one in self.content()["ceilings"]],
            ["", "--all-levels", "--all-levels"],
        )
        self.assertEqual(self.content()["machine"], self.machine)
        self.assertEqual(list(self.folder.glob("*.unfinished")), [])

    def test_a_file_of_this_machine_is_kept_and_any_other_is_not(self):
        self.known()
        self.assertEqual(self.known(), "")
        for key, other in (("cpu", "Another CPU"), ("cores", 3), ("compiler", "another++")):
            ceilings.write(known([], **{key: other}), self.file)
            self.assertIn(
                f"ceilings.json is from another machine or compiler ({key}: {other}, here ",
                self.known(),
            )
            self.assertEqual(len(self.content()["ceilings"]), 3)
        for text, why in (
            ("", "is not JSON"),
            ("[]", "was not written by"),
            ('{"what": "ceilings", "version": 2}', "version 2, not 1"),
        ):
            self.file.write_text(text, encoding="utf-8")
            self.assertRegex(self.known(), f"ceilings.json:? {why}.*: measuring again\n", text)

    def test_a_wrong_key_measures_nothing(self):
        ceilings.write({**known([]), "clock_hz": "fast"}, self.file)
        before = self.file.read_bytes()
        with self.assertRaisesRegex(
            ceilings.NoInput, "'clock_hz' is missing or wrong: measure again"
        ):
            self.known()
        self.assertEqual(self.file.read_bytes(), before)

    def test_a_place_that_cannot_be_written_is_refused_before_measuring(self):
        self.file.mkdir()
        for work in (ceilings.known_ceilings, ceilings.measure_ceilings):
            with (
                mock.patch.object(ceilings, "FILE", self.file),
                mock.patch.object(ceilings, "measured") as measured,
                contextlib.redirect_stderr(io.StringIO()) as said,
                self.assertRaises(Failure),
            ):
                work(self.lab)
            self.assertIn("ceilings.json cannot be written: it is a folder", said.getvalue())
            measured.assert_not_called()

    def test_a_program_that_fails_leaves_the_old_file(self):
        self.known()
        before = self.file.read_bytes()
        program(self.folder, "ceilings_scalar", "print(1)\nsys.exit('--count' not in sys.argv)")
        with (
            mock.patch.object(ceilings, "FILE", self.file),
            contextlib.redirect_stderr(io.StringIO()) as said,
            self.assertRaises(Failure),
        ):
            ceilings.measure_ceilings(self.lab)
        self.assertIn("ceilings_scalar ended with status 1", said.getvalue())
        self.assertEqual(self.file.read_bytes(), before)


class MeasuredTest(unittest.TestCase):
    """A whole measurement on this machine, too quick to be reliable."""

    def test_the_form(self):
        if not (BUILD / "bin/ceilings_scalar").exists():
            self.skipTest("the programs are not built")
        with contextlib.redirect_stderr(io.StringIO()):
            content = ceilings.measured(BUILD, ("--seconds", "0.003"))
        self.assertEqual(
            list(content),
            ["what", "version", "date", "seconds", "machine", "clock_hz", "prices", "ceilings"],
        )
        rows = content["ceilings"]
        self.assertEqual({tuple(one) for one in rows}, {tuple(FIELDS)})
        for one in rows:
            self.assertGreater(one["best"], 0, one)
            self.assertEqual(one["is_ceiling"], not one["why_not"], one)
        kinds = {(one["kind"], one["unit"]) for one in rows}
        self.assertEqual(
            kinds, {("flops", "flop/s"), ("unit", "operation/s"), ("bandwidth", "byte/s")}
        )
        self.assertEqual({one["threads"] for one in rows} - {1, content["machine"]["cores"]}, set())
        # Each gives a different reason.
        keys = [
            tuple(
                one[key]
                for key in ("instruction_set", "operation", "level", "precision", "threads")
            )
            for one in rows
        ]
        self.assertEqual(len(keys), len(set(keys)))
        # One set measures memory, and it also has loads from L1.
        deep = {one["instruction_set"] for one in rows if one["level"] == "DRAM"}
        self.assertEqual(len(deep), 1)
        self.assertLessEqual(deep, {one["instruction_set"] for one in rows if one["level"] == "L1"})
        for one in rows:
            if one["kind"] != "bandwidth":
                self.assertEqual(one["lanes"] == 1, one["instruction_set"] == "scalar")


PROCESSOR = {"where": "cpu", "name": "AVX2 + FMA"}
GPU = {"where": "gpu 0", "device": "Abacus", "name": "FP32 FMA"}
DEVICES = f"""#!{sys.executable}
import json, sys
assert sys.argv[1:3] == ["--measure", "--json"]
print("a table")
if STATUS == 0:
    json.dump({{"devices": [], "ceilings": [{GPU}]}}, open(sys.argv[3], "w"))
sys.exit(STATUS)
"""


class GpuCeilingsTest(InFolder):
    def setUp(self):
        super().setUp()
        self.document = {"ceilings": [PROCESSOR]}

    def add(self, gpu="Abacus", status=0):
        self.put("bin/devices", DEVICES.replace("STATUS", str(status)), executable=True)
        return add_gpu_rows(SimpleNamespace(build=self.folder, gpu=lambda: gpu), self.document)

    def test_rows_are_appended(self):
        self.assertEqual(self.add(), 1)
        self.assertEqual(self.document, {"ceilings": [PROCESSOR, GPU]})

    def test_without_a_gpu_nothing_is_run(self):
        self.assertEqual(self.add(gpu="", status=1), 0)
        self.assertEqual(self.document, {"ceilings": [PROCESSOR]})

    def test_what_fails_leaves_the_document_as_it_was(self):
        with self.assertRaises(Failure) as failed:
            self.add(status=2)
        self.assertEqual(failed.exception.status, 2)
        self.assertEqual(self.document, {"ceilings": [PROCESSOR]})
