#!/usr/bin/env python3
"""Scoring only a part that was not measured would replace all marks by nothing: it is refused."""

import argparse
import contextlib
import io
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from grade import command  # noqa: E402
from messages import ended  # noqa: E402

RECORDS = [{"parts": {"part1": {}}}, {"parts": {"part1": {}, "part2": {}}}]


class RescoreTest(unittest.TestCase):
    def rescored(self, *parts, records=RECORDS):
        """(message, whether it was scored)"""
        options, said = argparse.Namespace(part=list(parts), rubric=""), io.StringIO()
        with contextlib.redirect_stderr(said), mock.patch.multiple(
                command, as_before=mock.DEFAULT, records_of=lambda _: records, rescore=mock.DEFAULT,
                read_rubric=lambda _: {"parts": dict.fromkeys(("part1", "part2", "part3"))}) as made:
            ended(command.rescore_alone, "build/grades", options)
        return said.getvalue(), made["rescore"].called

    def test_a_part_that_was_measured_for_somebody(self):
        self.assertEqual(self.rescored(), ("", True))
        self.assertEqual(self.rescored("part1", "part2"), ("", True))

    def test_a_part_that_was_not(self):
        self.assertEqual(self.rescored("part1", "part3"), ("lab: part3 was not measured in build/grades, only part1 and part2\n", False))
        self.assertEqual(self.rescored("part1", records=[{"parts": {}}]), ("lab: part1 was not measured in build/grades, only nothing\n", False))


if __name__ == "__main__":
    unittest.main()
