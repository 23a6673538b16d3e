"""Writes the pages of a class once for all tests in a file. Each test starts here: it restarts in the Python that
writes pages."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import folders  # noqa: E402, F401
from with_page import go_over_to_page  # noqa: E402

go_over_to_page()
from grade.class_for_tests import EVIDENCE, Graded, whole_class  # noqa: E402
from page_reader import Page  # noqa: E402
from write_pages import write_pages  # noqa: E402


def page_at(file):
    return Page(file.read_text(encoding="utf-8"))


class Written(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graded = Graded(evidence=EVIDENCE)
        cls.index = page_at(write_pages(cls.graded.out))
        cls.files = {file.stem: file for file in (cls.graded.out / "students").glob("*.html")}
        cls.results, cls.kept = whole_class()
        cls.names = [one["name"] for one in cls.results["submissions"]]

    @classmethod
    def tearDownClass(cls):
        cls.graded.close()

    def student(self, name):
        return page_at(self.files[name])

    def words_of(self, name, one):
        return self.student(name).by_id(one).words()
