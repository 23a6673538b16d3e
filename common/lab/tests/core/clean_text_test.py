"""Is the output of students' programs shortened, free of terminal commands, and complete around what is removed?"""

import time
import unittest

from nbody_lab.core.clean_text import LINE, LOG, harmless, harmless_data, in_one_line


class HarmlessTest(unittest.TestCase):
    def test_escapes_are_gone(self):
        for text, shown in (
            ("\x1b[31;1mred\x1b[0m", "red"),
            ("\x1b]0;title\x07after", "after"),
            ("\x1b]8;;file:\x1b\\link", "link"),
            ("\x9b2Jgone", "gone"),
            ("a\x08b\x00", "a?b?"),
            ("\u202eexe.txt", "?exe.txt"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("\tx", "    x"),
            ("Зоя, 李, عمر, é", "Зоя, 李, عمر, é"),
            ("\ud800", "?"),
        ):
            self.assertEqual(harmless(text), shown)

    def test_an_escape_that_does_not_end_hides_no_other_line(self):
        self.assertEqual(harmless("\x1b]0;hidden\nerror: here"), "\nerror: here")

    def test_beginning_and_end_stay(self):
        text = harmless("first" + "x" * 10**7 + "last", LOG)
        self.assertTrue(text.startswith("firstx") and text.endswith("xlast"))
        self.assertIn(f"[... {10**7 + 9 - LOG} characters left out here ...]", text)
        self.assertLess(len(text), LOG + 100)

    def test_it_takes_no_time(self):
        start = time.monotonic()
        for text in ("\x1b]" * 10**6, "\x1b[" + "0" * 10**6, "\x1b[0;" * 10**6):
            harmless(text, 10**6)
        self.assertLess(time.monotonic() - start, 10)

    def test_data(self):
        data = harmless_data(
            {
                "build_log": "x" * 9000,
                "name": ["y" * 9000, 1.5, None, True, float("nan")],
                "a\x00": {"log": "z" * 9000},
            }
        )
        self.assertEqual(len(data["build_log"]), 9000)
        self.assertLess(len(data["name"][0]), LINE + 100)
        self.assertEqual(data["name"][1:], [1.5, None, True, None])
        self.assertEqual(len(data["a?"]["log"]), 9000)

    def test_one_line(self):
        self.assertEqual(in_one_line(" a\n\n b\t c "), "a b c")
