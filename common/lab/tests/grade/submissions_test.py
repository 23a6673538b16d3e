"""Who handed in what, under each platform's file names."""

import os

from nbody_lab.grade.submissions import find_submissions
from tests.folder_for_tests import InFolder

ZIP, GZIP = b"PK\3\4 and so on", b"\x1f\x8b and so on"


class InAClass(InFolder):
    def put(self, name, content=b"text"):
        os.utime(super().put(name, content), (1_000_000_000, 1_000_000_000))

    def found(self):
        return {one.name: one for one in find_submissions(self.folder)}

    def inside(self, name):
        return [inside for _, inside in self.found()[name].files]


class Platforms(InAClass):
    def test_folders_of_moodle(self):
        self.put("Anna Smith_12345_assignsubmission_file_/lab.zip", ZIP)
        one = self.found()["anna_smith"]
        self.assertEqual(
            (one.authors, one.student_id, one.kind), (["Anna Smith"], "12345", "folder")
        )
        self.assertEqual(one.source, "Anna Smith_12345_assignsubmission_file_")
        self.assertEqual(
            (one.submitted, one.time_from), ("2001-09-09T01:46:40+00:00", "date of the file")
        )

    def test_flat_files_of_moodle(self):
        self.put("Anna Smith_12345_assignsubmission_file_lab.zip", ZIP)
        self.put("Anna Smith_777_assignsubmission_file_mine.hpp")
        self.put("Anna Smith_777_assignsubmission_file_worksheet.hpp")
        self.assertEqual(self.found()["anna_smith_12345"].kind, "zip")
        self.assertEqual(self.inside("anna_smith_777"), ["mine.hpp", "worksheet.hpp"])

    def test_text_typed_into_moodle_is_no_file(self):
        self.put("Ben Kim_7_assignsubmission_onlinetext_/onlinetext.html")
        self.put("Anna Smith_8_assignsubmission_onlinetext_onlinetext.html")
        self.put("Anna Smith_8_assignsubmission_file_lab.zip", ZIP)
        self.assertEqual(
            (self.found()["ben_kim"].kind, self.found()["anna_smith"].kind), ("broken", "zip")
        )
        self.assertIn("only text", self.found()["ben_kim"].problem)

    def test_the_list_of_moodle_says_when(self):
        self.put("Anna Smith_12345_assignsubmission_file_/lab.zip", ZIP)
        self.put("Ben Kim_7_assignsubmission_file_/lab.zip", ZIP)
        self.put(
            "Grades.csv",
            '\ufeffIdentifier,"Full name","Last modified (submission)"\n'
            'Participant 12345,"Anna Smith","Friday, 20 November 2026, 9:14 PM"\n'
            'Participant 7,Ben Kim,"vendredi 20 novembre"\n'.encode(),
        )
        self.assertRegex(
            self.found()["anna_smith"].submitted, r"^2026-11-20T21:14:00[+-]\d\d:\d\d$"
        )
        self.assertEqual(self.found()["anna_smith"].time_from, "Moodle's list")
        self.assertEqual(self.found()["ben_kim"].time_from, "date of the file")

    def test_files_of_canvas_belong_together(self):
        self.put("smithanna_LATE_12345_67890_mine-1.hpp")
        self.put("smithanna_LATE_12345_67891_worksheet.hpp")
        self.put("kimben_54321_67892_lab-12.tar.gz", GZIP)
        self.assertEqual(self.inside("smithanna"), ["mine.hpp", "worksheet.hpp"])
        self.assertEqual(
            [self.found()[name].late for name in ("smithanna", "kimben")], [True, False]
        )
        self.assertEqual(
            (self.inside("kimben"), self.found()["kimben"].kind), (["lab.tar.gz"], "tar")
        )

    def test_two_files_of_one_name_lie_apart(self):
        self.put("smithanna_12345_67890_mine.hpp")
        self.put("smithanna_12345_67891_mine-1.hpp")
        self.assertEqual(self.inside("smithanna"), ["1/mine.hpp", "2/mine.hpp"])

    def test_plain_folders_and_archives(self):
        self.put("smith_anna/part1_standard_opti/mine.hpp")
        self.put("ben.tar.gz", GZIP)
        self.put("cleo.zip", ZIP)
        self.put("group_1_2_lab.zip", ZIP)
        kinds = {name: one.kind for name, one in self.found().items()}
        self.assertEqual(
            kinds, {"smith_anna": "folder", "ben": "tar", "cleo": "zip", "group_1_2_lab": "zip"}
        )

    def test_content_decides_not_the_name(self):
        self.put("ben.zip", GZIP)
        self.put("cleo.rar", b"Rar!")
        self.assertEqual(self.found()["ben"].kind, "tar")
        self.assertEqual(self.found()["cleo"].kind, "broken")
        self.assertIn("neither a zip nor a tar", self.found()["cleo"].problem)

    def test_what_is_no_submission(self):
        for name in (".DS_Store", "__MACOSX/x", "README.txt", "late.csv", "rubric.json"):
            self.put(name)
        self.assertEqual(self.found(), {})


class Names(InAClass):
    def test_they_are_ascii_and_each_once(self):
        for name in (
            "José Núñez",
            "Jose Nunez",
            "Ørsted Weiß",
            "Ольга",
            "李",
            "-rf",
            "a" * 200,
            "Con..",
            "$(id)",
            "=1+1",
        ):
            self.put(f"{name}/mine.hpp")
        names = list(self.found())
        self.assertEqual(len(names), 10)
        for name in names:
            self.assertRegex(name, r"\A[a-z0-9][a-z0-9_]{0,70}\Z")
        self.assertIn("orsted_weiss", names)
        self.assertNotIn("jose_nunez", names)  # there are two: neither gets the plain name

    def test_bytes_that_are_no_text(self):
        (self.folder / os.fsdecode(b"m\xfcller.zip")).write_bytes(ZIP)
        self.assertEqual(list(self.found()), ["m_ller"])

    def test_links_are_not_followed(self):
        (self.folder / "anna").symlink_to("/etc")
        (self.folder / "ben").symlink_to("/nowhere")
        self.assertEqual({one.kind for one in self.found().values()}, {"broken"})
        self.assertEqual(len(self.found()), 2)
        self.put("class of another year/x")
        (self.folder / "cleo").symlink_to("class of another year")
        os.utime(self.folder / "cleo", (1, 1), follow_symlinks=False)
        self.assertEqual(self.found()["cleo"].submitted, "1970-01-01T00:00:01+00:00")
