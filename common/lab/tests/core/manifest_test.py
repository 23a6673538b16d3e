"""The manifest's rows and targets, and its complaints about bad files."""

import json

from nbody_lab.core.manifest import Manifest, ManifestError
from tests.folder_for_tests import InFolder


def program(name, precision, instruction_set=""):
    return {
        "precision": precision,
        "instruction_set": instruction_set,
        "program": f"bin/part2/{name}",
        "target": f"part2_{name}",
    }


ROWS = [
    {
        "part": "part1",
        "name": "naive",
        "kind": "naive",
        "source": "part1/naive.hpp",
        "flags": ["-O3", "-g"],
        "count": None,
        "program": "bin/part1/naive",
        "programs": [],
    },
    {
        "part": "part2",
        "name": "naive",
        "kind": "naive",
        "source": "part2/naive.hpp",
        "flags": [],
        "count": None,
        "program": "bin/part2/naive",
        "programs": [program("naive", "float"), program("naive_double", "double")],
    },
    {
        "part": "part2",
        "name": "wide",
        "kind": "rung",
        "source": "part2/wide.hpp",
        "flags": [],
        "count": None,
        "program": "bin/part2/wide",
        "programs": [
            program(f"wide_{s}{p and '_' + p}", p or "float", s)
            for p in ("", "double")
            for s in ("sse2", "avx2")
        ],
    },
]


class ManifestTest(InFolder):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "manifest.json"
        self.file.write_text(
            json.dumps(
                {
                    "version": 2,
                    "implementations": ROWS,
                    "parts": [
                        {"name": "part1", "folder": "part1", "default_step": "adaptive"},
                        {"name": "part2", "folder": "part2"},
                    ],
                }
            )
        )

    def manifest(self):
        return Manifest(self.file)

    def test_rows(self):
        self.assertEqual([row.name for row in self.manifest().of_part("part2")], ["naive", "wide"])
        self.assertEqual([row.name for row in self.manifest().of_part("part2", "rung")], ["wide"])
        self.assertEqual(self.manifest().row("part2", "wide").source, "part2/wide.hpp")
        self.assertEqual(self.manifest().part("part1").default_step, "adaptive")

    def test_targets(self):
        for words, targets in (
            (("naive", "double"), ["bin/part2/naive_double"]),
            # The launcher comes with the programs it chooses from.
            (("wide", "float"), ["bin/part2/wide_sse2", "bin/part2/wide_avx2", "bin/part2/wide"]),
            (("wide", "double", ("avx2",)), ["bin/part2/wide_avx2_double"]),
        ):
            self.assertEqual(self.manifest().targets("part2", *words), targets)

    def complaint(self, ask):
        with self.assertRaises(ManifestError) as complaint:
            ask(self.manifest())
        return str(complaint.exception)

    def test_what_there_is_not(self):
        for part, name, said in (
            ("part2", "wied", "part2 has no implementation 'wied'; it has: naive wide"),
            ("part9", "naive", "there is no part 'part9'; parts: part1 part2"),
        ):
            self.assertEqual(
                self.complaint(lambda known, part=part, name=name: known.row(part, name)), said
            )

    def test_no_manifest(self):
        for text, said in {
            "{": "not a manifest of the lab",
            "[]": "not a manifest of the lab",
            '{"version": 1}': "version 1, not 2",
        }.items():
            self.file.write_text(text)
            self.assertRegex(
                self.complaint(lambda _: None), f"^{self.file}: {said}.*configure again with cmake"
            )
        self.file.unlink()
        self.assertIn("not a manifest of the lab", self.complaint(lambda _: None))
