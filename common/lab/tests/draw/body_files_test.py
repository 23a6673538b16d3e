"""Tests that body files are read as docs/file_formats.md says: valid and invalid files, names, series."""

import os
import re
import tempfile
import unittest
from pathlib import Path

from make_corpus import FILES as CORPUS

from nbody_lab import ROOT
from nbody_lab.draw import body_files
from nbody_lab.export import body_text
from nbody_lab.export.body_text import BadFile

GOOD = b"2\n1e20 1e6 1 2 3 4 5 6\n2e20 0 -1.5 2.25e8 -3e-4 .5 7. -0\n"


def parse_state(text, path):
    return body_files.State(**vars(body_text.parse_state(text, path)))


def complaint(text):
    try:
        parse_state(text, "f.dat")
    except BadFile as fault:
        return str(fault)
    return "nothing"


class Reading(unittest.TestCase):
    def test_layout_does_not_matter(self):
        expected = parse_state(GOOD, "f").table.tolist()
        self.assertEqual(
            expected, [[1e20, 1e6, 1, 2, 3, 4, 5, 6], [2e20, 0, -1.5, 2.25e8, -3e-4, 0.5, 7, 0]]
        )
        for text in (
            GOOD.replace(b"\n", b" "),
            GOOD.replace(b"\n", b"\r\n"),
            GOOD.replace(b"\n", b" # x\n\n"),
            b"# a\n\v\f" + GOOD.replace(b" ", b"\n").rstrip(),
            GOOD.replace(b"2 3", b"+2#no space\n3."),
            GOOD.replace(b"2\n", b"002\n", 1),
        ):
            self.assertEqual(parse_state(text, "f").table.tolist(), expected, text)

    def test_nearest_double(self):
        for word in ("0.1", "5e-324", "1.7976931348623157e308", "123456789.123456789e-3", "1e-320"):
            text = GOOD.replace(b"1e6", word.encode())
            self.assertEqual(parse_state(text, "f").table[0, 1], float(word))

    def test_the_simulators_own_corpus(self):
        self.assertGreater(len(CORPUS), 15)
        for name, content in CORPUS.items():
            said = complaint(content)
            self.assertEqual(said == "nothing", name.startswith("good_"), f"{name}: {said}")

    def test_first_line(self):
        state = parse_state(b"# nbody-lab: G=1 soft=0.5 time=-2\r\n" + GOOD, "f")
        self.assertEqual(
            vars(state.setting),
            {
                "G": 1,
                "soft": 0.5,
                "dt": 3600,
                "mdt": 200,
                "time": -2,
                "damping": 1,
                "integrator": "",
            },
        )
        self.assertEqual(parse_state(b" # nbody-lab: G=1\n" + GOOD, "f").setting.G, 6.67384e-11)
        for words, said in (
            (
                b"g=1",
                "unknown key 'g' in the nbody-lab line: known are G, soft, dt, mdt, time, damping, integrator",
            ),
            (b"damping=2", "damping is '2', but must be between 0 and 1"),
            (b"integrator=", "integrator has no value: write integrator=NAME without spaces"),
            (b"G", "G has no value: write G=NUMBER without spaces"),
            (b"G=1 G=1", "G is given twice: remove one"),
            (b"G=nan", "G is 'nan', not a finite decimal number: write it like G=1.5e3"),
            (b"soft=-1", "soft is '-1', but must not be negative"),
            (b"dt=0", "dt is '0', but must be above 0"),
        ):
            self.assertEqual(complaint(b"# nbody-lab: " + words + b"\n" + GOOD), f"f.dat:1: {said}")

    def test_names(self):
        one, two = b"1 1 1 1 1 1 1 1", b"2 2 2 2 2 2 2 2"
        for text, names in (
            (
                b"2 # two\n" + one + b"  # Sun\n" + two + b"#  The\t Moon \r\n",
                {0: "Sun", 1: "The Moon"},
            ),
            (b"2\n" + one + b"\n# not after it\n" + two + b" # Moon", {1: "Moon"}),
            (b"2\n" + one + b" " + two + b" # one line\n", {1: "one line"}),
            (b"2\n1 # mass\n1 1 1 1 1 1 1 ## a # b\n" + two + b" #\n# last\n", {0: "# a # b"}),
            (
                b"1\n" + one + b"# \xff\x00\x1b[31m" + b"x" * 50,
                {0: "\N{REPLACEMENT CHARACTER} [31m" + "x" * 17 + "…"},
            ),
        ):
            self.assertEqual(parse_state(text, "f").names, names)


class Refusing(unittest.TestCase):
    def test_in_the_words_of_the_simulators(self):
        """The table of docs/file_formats.md."""
        rows = re.findall(r"\| `f\.dat:(.*)` \|", (ROOT / "docs/file_formats.md").read_text())
        said = {
            complaint(text)
            for text in (
                b"",
                b"3.0",
                b"0",
                b"134217729",
                b"3\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1",
                b"1\n1 1 1 1 1 1 1 1\n\n2.5 1",
                b"1\n1 1 abc 1 1 1 1 1",
                b"2\n1 1 1 1 1 1 1 1\n0 1 1 1 1 1 1 1",
                b"1\n1 -1e-5 1 1 1 1 1 1",
                b"# nbody-lab: g=1\n" + GOOD,
            )
        }
        table = {f"f.dat:{row}" for row in rows}
        self.assertGreater(len(table), 9)
        self.assertEqual(said, {row for row in table if "cannot be read" not in row})

    def test_words_that_are_no_number(self):
        for word in (
            b"nan",
            b"inf",
            b"0x10",
            b"1e999",
            b"1e-999",
            b"1e",
            b"1,5",
            b"1.5f",
            b"--1",
            b"+-1",
            b".",
            b"1_000",
            b"1\0",
            b"\x80",
        ):
            said = complaint(GOOD.replace(b"1e6", word))
            self.assertIn("not a finite decimal number: write it like 1.5e3", said, word)
            self.assertTrue(
                said.startswith("f.dat:2: radius of record 1 is '")
                and said.isascii()
                and said.isprintable(),
                said,
            )

    def test_a_file_that_is_not_there(self):
        with self.assertRaisesRegex(
            BadFile,
            r"^/no/such\.dat: cannot be read \(No such file or directory\): check the name$",
        ):
            body_files.read_state("/no/such.dat")


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.base = os.path.join(self.folder.name, "out")

    def write(self, iteration, text=GOOD, head="dt=2 G=1"):
        Path(f"{self.base}.{iteration}.dat").write_bytes(
            f"# nbody-lab: {head} time={2 * iteration}\n".encode() + text
        )

    def test_in_order(self):
        for iteration in (100, 0, 20):
            self.write(iteration)
        for other in ("out.dat", "out.x.dat", "out.1.dat.7.tmp", "out_orbits.svg", "other.3.dat"):
            Path(self.folder.name, other).write_text("no body file")
        series = body_files.Series(self.base)
        self.assertEqual(series.iterations, [0, 20, 100])
        self.assertEqual([state.time for state in series], [0, 40, 200])
        self.assertEqual(series.setting_in_words(), "N = 2, dt = 2, no softening, units of G = 1")
        self.assertEqual(body_files.span_in_words(series), "time 0 to 200")

    def test_an_adaptive_step_shows_in_the_times(self):
        self.write(0, head="dt=3600 soft=5e6")
        self.write(10, head="dt=3600 soft=5e6")
        self.assertEqual(
            body_files.Series(self.base).setting_in_words(),
            "N = 2, adaptive step, 2 s on average, softening 5e+06 m",
        )

    def test_files_of_another_run(self):
        more = GOOD.replace(b"2\n", b"3\n", 1) + b"1 1 1 1 1 1 1 1"
        for text, head, said in (
            (more, "dt=2 G=1", "3 bodies, but 2 in"),
            (GOOD, "dt=4 G=1", "dt=4, but 2 in"),
            (GOOD.replace(b"2e20", b"3e20"), "dt=2 G=1", "other masses than in"),
        ):
            self.write(0)
            self.write(9, text, head)
            with self.assertRaisesRegex(BadFile, said):
                body_files.Series(self.base)

    def test_no_files(self):
        for base in (self.base, "/no/such/folder/out"):
            with self.assertRaisesRegex(
                BadFile,
                r"^\S+\.<iteration>\.dat: no such file; ./lab run .* -w \S+ --every 10 writes them$",
            ):
                body_files.Series(base)
