"""./lab worksheet: options, exit statuses, files, and whose counts stay hidden."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from nbody_lab.worksheet import command
from nbody_lab.worksheet.machines import Ceilings, name_of_processor
from tests.folder_for_tests import InFolder
from tests.hardware.ceilings_for_tests import known, row
from tests.worksheet.student_program_test import SHEETS, Said

SEVEN = "the answers of a worksheet:\n0 text authors Ada\n1 text authors Ada\n0 number seven {0}\n1 number seven {0}\nall of them\n"


class CommandTest(InFolder):
    def desk(self, seven="7"):
        program = self.put(
            "answers", f"#!/bin/sh\ncat <<'END'\n{SEVEN.format(seven)}END\n", executable=True
        )
        return command.Desk(
            SHEETS / "questions.json", program, self.folder, self.folder / "ceilings.json", []
        )

    def judged(self, *words, seven="7", work=command.run):
        """(status, standard output, standard error)"""
        kept, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), Said(), Said()
        try:
            status = work(self.desk(seven), *([list(words)] if work is command.run else words))
            return status, sys.stdout.getvalue(), sys.stderr.getvalue()
        finally:
            sys.stdout, sys.stderr = kept

    def test_statuses(self):
        self.assertEqual(self.judged()[0], 0)
        self.assertEqual(self.judged(seven="8")[0], 1)
        self.assertEqual(self.judged(seven="nan")[0], 0)
        self.assertEqual(self.judged("--question", "0", seven="8")[0], 0)
        self.assertEqual(self.judged("--question", "1", "--by-how-much", seven="8")[0], 1)

    def test_bad_words_are_one_line(self):
        for words, said in (
            (["--foo"], "there is no option --foo; --help lists the options"),
            (["--question"], "--question needs N after it"),
            (["--seal", "seven"], "--seal needs ANSWER LETTER after it"),
            (["--question", "3"], "part0 has no question '3'; the last is 1"),
            (
                ["--json", "/nowhere/x"],
                "/nowhere/x: cannot be written (no folder /nowhere): create it or choose another place",
            ),
        ):
            self.assertEqual(self.judged(*words), (2, "", f"worksheet: {said}\n"))

    def test_a_seal_needs_no_answers(self):
        self.assertEqual(
            self.judged("--seal", "limited_by", "d", seven="x")[:2], (0, "0x72310661\n")
        )

    def test_a_file_with_the_lines(self):
        file = self.folder / "lines.json"
        self.judged("--json", str(file), seven="8")
        told = json.loads(file.read_text(encoding="utf-8"))
        self.assertEqual(
            [(line["number"], line["state"]) for line in told["lines"]],
            [("0", "noted"), ("1", "wrong")],
        )

    def test_ceilings_that_cannot_be_used_are_named(self):
        (self.folder / "ceilings.json").write_text("{", encoding="utf-8")
        self.assertIn(
            "ceilings.json is not JSON; until then answers about this machine are not judged\n",
            self.judged()[2],
        )

    def test_whose_counts_are_hidden(self):
        reason = "lab: count by hand first: the numbers appear once question 1 of worksheet.hpp is right (./lab worksheet part0)\n"
        self.assertEqual(self.judged("naive", seven="8", work=command.may_show), (1, "", reason))
        self.assertEqual(self.judged("naive", work=command.may_show), (0, "", ""))
        self.assertEqual(self.judged("naive", seven="x", work=command.may_show)[0], 2)
        names = ["naive", "mine"]
        self.assertEqual(command.hidden_among(self.desk(), names), [])
        self.assertEqual(
            command.hidden_among(self.desk("8"), names), names
        )  # neither was counted: the same work
        self.assertEqual(command.hidden_among(self.desk("x"), names), names)


class CeilingsTest(unittest.TestCase):
    ROWS = [
        row("flops", "mul_add", 12e9, is_ceiling=False),
        row("flops", "mul_add", 13e9, is_ceiling=True),
        row("bandwidth", "load", 99e9, is_ceiling=True),
    ]

    def ceilings(self, text, processor="Abacus"):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "ceilings.json")
            file.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
            return Ceilings.of_this_machine(file, processor)

    def test_only_a_file_of_this_machine_counts_and_any_other_is_named(self):
        told = known(self.ROWS, cpu="Abacus")
        self.assertEqual(
            (self.ceilings(told).best({"kind": "flops"}), self.ceilings(told).why_none), (13e9, "")
        )
        disturbed = known(
            [*self.ROWS, row("flops", "mul_add", 14e9, is_ceiling=False)], cpu="Abacus"
        )
        self.assertIsNone(self.ceilings(disturbed).best({"kind": "flops"}))
        for other, why in (
            ({**told, "version": 2}, "version 2"),
            (known(self.ROWS, cpu="Other"), "for another processor"),
            ("[]", "was not written by"),
            ({**told, "machine": {}}, "machine.cpu"),
            ("{", "is not JSON"),
        ):
            self.assertIsNone(self.ceilings(other).best({"kind": "flops"}))
            self.assertIn(why, self.ceilings(other).why_none)
        missing = Ceilings.of_this_machine("/nowhere")
        self.assertEqual((missing.best({}), missing.why_none), (None, ""))

    def test_a_processor_is_called_as_bin_machine_calls_it(self):
        """Kernels on ARM give no name, and ceilings.json says so."""
        for told, name in (
            ("processor\t: 0\nmodel name\t: Abacus 9\n", "Abacus 9"),
            ("processor\t: 0\nCPU part\t: 0xd4f\n", "unknown CPU"),
            ("model name\t: \n", "unknown CPU"),
        ):
            self.assertEqual(name_of_processor(told), name)
        self.assertEqual(name_of_processor(""), "unknown CPU")
