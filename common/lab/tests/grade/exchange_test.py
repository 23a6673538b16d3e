"""./lab grade --exchange on made-up measurements: who reads what, and that no name is passed on."""

import contextlib
import io
import json
import unittest
import zipfile
from collections import Counter

from nbody_lab.cli import main
from nbody_lab.grade.exchange import TooFew, deal
from nbody_lab.grade.identity import Names, code_of, without_author
from tests.folder_for_tests import InFolder
from tests.grade.scored_for_tests import measured, no_part, part, row, speed, wrong

WRITERS, OTHERS = [f"writer_{k}" for k in range(7)], [f"other_{k}" for k in range(5)]


class DealTest(unittest.TestCase):
    def test_different_ones_and_never_his_own(self):
        for readings in (1, 2, 3, 6):
            for seed in range(20):
                found = deal(WRITERS + OTHERS, WRITERS, readings, seed)
                self.assertEqual(set(found), set(WRITERS + OTHERS))
                for who, given in found.items():
                    self.assertEqual(
                        (len(given), len(set(given)), who in given),
                        (readings, readings, False),
                        (who, given),
                    )
                    self.assertLessEqual(set(given), set(WRITERS))

    def test_equally_often_or_once_more(self):
        for readings in (1, 2, 3):
            times = Counter(
                one
                for given in deal(WRITERS + OTHERS, WRITERS, readings, 5).values()
                for one in given
            )
            self.assertEqual(set(times), set(WRITERS))
            self.assertLessEqual(max(times.values()) - min(times.values()), 1)

    def test_a_seed_repeats_and_another_differs(self):
        self.assertEqual(
            deal(WRITERS + OTHERS, WRITERS, 2, 5), deal(OTHERS + WRITERS[::-1], WRITERS[::-1], 2, 5)
        )
        self.assertNotEqual(deal(WRITERS, WRITERS, 2, 5), deal(WRITERS, WRITERS, 2, 6))

    def test_too_few(self):
        for readers, writers, readings in (
            (WRITERS, WRITERS[:2], 2),
            (WRITERS, [], 1),
            (OTHERS, WRITERS[:1], 2),
        ):
            with self.assertRaisesRegex(
                TooFew, f"{readings} readings each need {readings + 1} versions"
            ):
                deal(readers, writers, readings, 1)


FOLDER = "part1_standard_opti"
CODE = '#pragma once\n#include "naive.hpp"\n// by {name}, {name}@uni.example.org\nclass Mine {{ int of_number_{number}; }};\n'
PEOPLE = ("Anna Smith", "Ben Kim", "Cleo Diaz", "Dora Novak")


class ExchangeTest(InFolder):
    def setUp(self):
        super().setUp()
        self.out, self.graded = self.folder / "exchange", self.folder / "grades"
        for number, name in enumerate(PEOPLE):
            self.add(name, {"mine.hpp": CODE.format(name=name.split()[0], number=number)}, row())

    def add(self, name, files, *rows):
        key = name.lower().replace(" ", "_")
        for file, text in files.items():
            self.put(self.graded / "taken" / key / FOLDER / file, text)
        part1 = part(*rows) if rows else no_part()
        record = measured(key, [name], student_id=f"99{len(name)}7", part1=part1)
        self.put(f"grades/measured/{key}.json", json.dumps(record))

    def ran(self, *words, out=None):
        """(status, standard output, messages)"""
        printed, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
            status = main(
                ["grade", "--exchange", str(self.graded), "-o", str(out or self.out), *words]
            )
        return status, printed.getvalue(), said.getvalue()

    def refused(self, pattern, *words):
        status, printed, said = self.ran(*words)
        self.assertEqual((status, printed, said.count("\n")), (2, "", 1), said)
        self.assertRegex(said, pattern)

    def archive(self, key):
        with zipfile.ZipFile(self.out / f"{key}.zip") as archive:
            return {
                name.removeprefix("reading/"): archive.read(name).decode()
                for name in archive.namelist()
            }

    def key(self):
        return json.loads((self.out / "key.json").read_text(encoding="utf-8"))

    def test_two_of_others_without_names(self):
        status, printed, said = self.ran("--seed", "7")
        self.assertEqual((status, said), (0, ""))
        self.assertIn("4 archives, and key.json, which only you keep (seed 7)", printed)
        for number, name in enumerate(PEOPLE):
            found = self.archive(name.lower().replace(" ", "_"))
            self.assertEqual(
                sorted(found),
                ["README.md", f"{FOLDER}/mine_read_a.hpp", f"{FOLDER}/mine_read_b.hpp"],
            )
            text = "\n".join(found.values())
            self.assertNotIn(f"of_number_{number};", text, "his own")
            self.assertEqual(text.count("of_number_"), 2)
            for word in [
                *(word for one in PEOPLE for word in one.split()),
                "example.org",
                str(self.graded),
            ]:
                self.assertNotRegex(text, rf"(?i)(?<!\w){word}(?!\w)")
            self.assertIn("echo 'mine_read_b: -O3 -fopenmp' >>", found["README.md"])

    def test_the_key_says_who_is_who(self):
        self.ran("--seed", "7")
        key = self.key()
        self.assertEqual((self.out / "key.json").stat().st_mode & 0o777, 0o600)
        self.assertEqual((key["seed"], set(key["parts"]["part1"]["read"].values())), (7, {2}))
        for reader, given in key["parts"]["part1"]["readers"].items():
            found = self.archive(reader)
            for letter, one in given.items():
                number = [name.lower().replace(" ", "_") for name in PEOPLE].index(one["who"])
                self.assertIn(f"of_number_{number};", found[f"{FOLDER}/mine_read_{letter}.hpp"])

    def test_a_seed_gives_the_same_bytes(self):
        again = self.out.with_name("again")
        self.ran("--seed", "7")
        self.ran("--seed", "7", out=again)
        self.assertEqual(
            {file.name: file.read_bytes() for file in self.out.iterdir()},
            {file.name: file.read_bytes() for file in again.iterdir()},
        )

    def test_only_the_fastest_that_passed_and_is_their_own(self):
        self.add(
            "Eve Long",
            {
                "mine.hpp": "given",
                "mine_wrong.hpp": "wrong",
                "mine_slow.hpp": "slow",
                "mine_fast.hpp": "quick",
            },
            row(untouched=True, speed=[speed(9.0)]),
            wrong("mine_wrong"),
            row("mine_slow", speed=[speed(0.1)]),
            row("mine_fast", speed=[speed(0.2)]),
        )
        self.add("Finn Berg", {"mine.hpp": "never checked"}, row(check=None))
        self.add("Gus Hall", {})
        self.assertEqual(self.ran("--readings", "4")[0], 0)
        told = self.key()["parts"]["part1"]
        self.assertEqual(
            {
                one["source"]
                for given in told["readers"].values()
                for one in given.values()
                if one["who"] == "eve_long"
            },
            {f"{FOLDER}/mine_fast.hpp"},
        )
        self.assertEqual(
            (set(told["readers"]) - set(told["read"]), "gus_hall" in told["readers"]),
            ({"finn_berg"}, False),
        )

    def test_own_headers_go_with_it_under_other_names(self):
        self.add(
            "Anna Smith",
            {
                "mine.hpp": '#include "anna.hpp"\n',
                "anna.hpp": '#include "deep.h"\n',
                "deep.h": "int deep;\n",
                "mine_other.hpp": "other\n",
            },
            row(),
        )
        self.ran("--readings", "3", "--seed", "1")
        letter = next(
            letter
            for letter, one in self.key()["parts"]["part1"]["readers"]["ben_kim"].items()
            if one["who"] == "anna_smith"
        )
        found = self.archive("ben_kim")
        self.assertEqual(
            found[f"{FOLDER}/mine_read_{letter}.hpp"], f'#include "read_{letter}_header_1.hpp"\n'
        )
        self.assertEqual(
            found[f"{FOLDER}/read_{letter}_header_1.hpp"], f'#include "read_{letter}_header_2.h"\n'
        )
        self.assertEqual(found[f"{FOLDER}/read_{letter}_header_2.h"], "int deep;\n")
        self.assertNotIn(
            "other", "".join(text for name, text in found.items() if name != "README.md")
        )

    def test_a_name_in_the_code_is_told_to_a_person(self):
        self.add("Anna Smith", {"mine.hpp": "class AnnasLoop {};\n"}, row())
        _, _, said = self.ran()
        self.assertEqual(
            said, f"lab: anna_smith: {FOLDER}/mine.hpp: a name may stand in AnnasLoop\n"
        )
        self.assertEqual(len(self.key()["remarks"]), 1)

    def test_bad_input_is_one_line(self):
        self.refused(
            r"part1: 4 readings each need 5 versions that passed, there are 4",
            "--readings",
            "4",
            "--part",
            "part1",
        )
        self.refused("--readings should be greater than or equal to 1", "--readings", "0")
        self.refused("there is no part 'part9'; parts: part1", "--part", "part9")
        self.refused("--seed should be a valid integer", "--seed", "x")
        (self.graded / "taken/ben_kim" / FOLDER / "mine.hpp").unlink()
        self.refused("ben_kim/.*mine.hpp no longer exists: ./lab grade CLASS -o")
        (self.graded / "measured/ben_kim.json").write_text("{", encoding="utf-8")
        self.refused("ben_kim.json: a record that cannot be read")
        self.graded = self.graded.parent
        self.refused(
            r"has no measured/\*.json: the exchange takes only versions that passed, so grade first"
        )
        self.assertFalse(self.out.exists())

    def test_two_exchanges_do_not_mix(self):
        self.ran()
        self.refused("is not empty: name a new folder")


NAMES = Names(
    ["Anna-Maria Smith", "José Bo"], "12345", ["Anna-Maria Smith", "José Bo", "Will Power", "Mark"]
)


def told(text, headers=None):
    return without_author(text, NAMES, headers or {})


class AnonymousTest(unittest.TestCase):
    def test_comments_that_go(self):
        for comment in (
            "by ANNA",
            "Smith, A.",
            "jose's trick",
            "mail a.b+c@uni-x.example.org",
            "student 12345",
            "see /home/x/lab",
            r"in C:\lab",
            "@author nn",
            "Author: me",
            "Written by me",
            "Copyright 2026",
            "thanks to Will  Power",
        ):
            self.assertEqual(told(f"a; // {comment}\nb;\n"), "a;\nb;\n", comment)
            self.assertEqual(told(f"/* x\n {comment} */ b;\n"), "\n b;\n", comment)

    def test_comments_that_stay(self):
        for comment in (
            "this will be a power of 2, mark it",
            "Annabel, blacksmith",
            "bo",
            "123456",
            "a/home/b",
            "an author writes",
        ):
            text = f"a; // {comment}\n"
            self.assertEqual(told(text), text)

    def test_strings(self):
        self.assertEqual(
            told('f("by Anna", "// Anna");  // fine\ng("other");\n'),
            'f("removed", "removed");  // fine\ng("other");\n',
        )

    def test_a_comment_in_a_string_hides_nothing(self):
        self.assertEqual(
            told('f("/*"); x(); // Smith\ny(); /* */\n'), 'f("/*"); x();\ny(); /* */\n'
        )

    def test_own_headers_get_their_new_names(self):
        text = '#include "naive.hpp"\n#  include "anna_loop.hpp"  // Anna\n'
        self.assertEqual(
            told(text, {"anna_loop.hpp": "header_1.hpp"}),
            '#include "naive.hpp"\n#  include "header_1.hpp"\n',
        )

    def test_lines_stay(self):
        text = "/* Anna\n\n*/\r\nint x;\t// fine\r\n"
        self.assertEqual(told(text), "\n\n\nint x;  // fine\n")

    def test_what_is_left_in_the_code(self):
        self.assertEqual(
            NAMES.left_in("class AnnasLoop { int smith_sum, blacksmith, max; };"),
            ["AnnasLoop", "smith_sum"],
        )
        self.assertEqual(NAMES.left_in(code_of('f("Anna"); // Smith')), [])
