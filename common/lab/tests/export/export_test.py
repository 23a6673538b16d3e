"""./lab export: numbers are preserved bit for bit, no file is half-written, and each error is one line."""

import base64
import contextlib
import io
import os
import re
import struct
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as xml
import zlib
from pathlib import Path

from nbody_lab.core.messages import Failure
from nbody_lab.core.whole_file import UnfinishedFile
from nbody_lab.export import command as export
from nbody_lab.export import formats as export_formats

HEAD = "# nbody-lab: G=1 soft=0 dt=0.1 mdt=0 time={} integrator=kdk\n"
BODIES = ((1.5, 0.1, 1 / 3, -2e-300, 3, 0.1, 0.2, -0.0), (2.5, 0, -1, 5e10, 6, 0.7, 8, 9))


def record(body):
    return " ".join(map(repr, map(float, body)))


def values_of(array):
    """The numbers in a DataArray, decoded as a reader does."""
    text = array.text.strip()
    blocks, size, partial, small = struct.unpack("=4Q", base64.b64decode(text[:44]))
    content = zlib.decompress(base64.b64decode(text[44:]))
    assert (blocks, size, partial) == (1, len(content), 0) and small == len(
        base64.b64decode(text[44:])
    )
    return list(
        struct.unpack(
            f"={len(content) // 8}{'d' if array.get('type') == 'Float64' else 'q'}", content
        )
    )


class Exports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.base = f"{self.folder.name}/six"

    def write(self, iteration, bodies=BODIES, names=("", ""), head=HEAD):
        lines = [
            record(body) + (f"  # {name}" if name else "") for body, name in zip(bodies, names)
        ]
        Path(f"{self.base}.{iteration}.dat").write_text(
            head.format(iteration / 10) + "\n".join([str(len(bodies)), *lines]) + "\n",
            encoding="utf-8",
        )

    def export(self, *words):
        """(status, standard output, standard error)."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = export.export(None, list(words))
            except Failure as failure:
                status = failure.status
        return status, out.getvalue(), err.getvalue()

    def names(self):
        return sorted(os.listdir(self.folder.name))

    def refused(self, said, *words):
        before = self.names()
        status, out, err = self.export(*words)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, f"^lab: {said}\n$")
        self.assertEqual(self.names(), before)

    def test_xyz_has_all_states_in_order(self):
        for iteration in (0, 10, 2):
            self.write(iteration)
        status, out, _ = self.export(self.base, f"{self.base}.xyz")
        self.assertEqual((status, out), (0, f"{self.base}.xyz: 3 states of 2 bodies, 0.5 kB\n"))
        lines = Path(f"{self.base}.xyz").read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0::4], ["2"] * 3)
        self.assertEqual(
            [re.search(r"Time=(\S+) iteration=(\d+) ", line).groups() for line in lines[1::4]],
            [("0.0", "0"), ("0.2", "2"), ("1.0", "10")],
        )
        self.assertIn("Properties=pos:R:3:velo:R:3:mass:R:1:radius:R:1 ", lines[1])
        self.assertNotIn("Lattice", lines[1])
        mass, radius, *rest = map(float, BODIES[0])
        self.assertEqual(lines[2], " ".join(map(repr, (*rest, mass, radius))))

    def test_xyz_names_bodies_that_have_names(self):
        self.write(0, names=("The  Sun", ""))
        self.export(self.base, f"{self.base}.xyz")
        lines = Path(f"{self.base}.xyz").read_text(encoding="utf-8").splitlines()
        self.assertTrue(lines[1].startswith("Properties=name:S:1:pos:R:3:"), lines[1])
        self.assertEqual([line.split()[0] for line in lines[2:]], ["The_Sun", "body"])
        self.assertEqual([len(line.split()) for line in lines[2:]], [9, 9])

    def test_vtk_holds_the_same_bits(self):
        for iteration in (0, 10):
            self.write(iteration)
        Path(self.folder.name, "new").mkdir()
        self.assertEqual(self.export(self.base, f"{self.folder.name}/new/a b.pvd")[0], 0)
        rows = xml.parse(f"{self.folder.name}/new/a b.pvd").getroot().findall("Collection/DataSet")
        self.assertEqual(
            [(row.get("timestep"), row.get("file")) for row in rows],
            [("0.0", "a b.0.vtp"), ("1.0", "a b.10.vtp")],
        )
        root = xml.parse(f"{self.folder.name}/new/a b.10.vtp").getroot()
        arrays = {array.get("Name"): values_of(array) for array in root.iter("DataArray")}
        columns = list(zip(*BODIES))
        self.assertEqual(arrays["mass"], list(columns[0]))
        self.assertEqual(arrays["Points"], [number for body in BODIES for number in body[2:5]])
        self.assertEqual(
            list(map(repr, arrays["velocity"])),
            [repr(float(number)) for body in BODIES for number in body[5:]],
        )
        self.assertEqual(
            (arrays["TimeValue"], arrays["connectivity"], arrays["offsets"]),
            ([1.0], [0, 1], [1, 2]),
        )

    def test_another_export_replaces_the_first(self):
        self.write(0)
        for path in (f"{self.base}.xyz", f"{self.base}.pvd"):
            Path(path).write_text("old", encoding="utf-8")
            self.assertEqual(self.export(self.base, path)[0], 0)
            self.assertNotEqual(Path(path).read_text(encoding="utf-8"), "old")
        self.assertEqual(self.names(), ["six.0.dat", "six.0.vtp", "six.pvd", "six.xyz"])

    def test_what_cannot_be_exported(self):
        self.refused(
            r"\S+six\.<iteration>\.dat: no such file; ./lab run PART NAME .*",
            self.base,
            f"{self.base}.xyz",
        )
        self.refused(
            r"six\.csv: is not a BASE of -w; a log has no positions", "six.csv", f"{self.base}.xyz"
        )
        self.write(0)
        self.refused(
            r"\S+six\.0\.dat: is a file, not a BASE of -w; the BASE of x\.0\.dat is x",
            f"{self.base}.0.dat",
            f"{self.base}.xyz",
        )
        for words in (
            (),
            (self.base,),
            (self.base, "a.xyz", "b"),
            (self.base, ""),
            ("--every", "a.xyz"),
        ):
            self.refused("export takes two words: .*", *words)
        for path in ("a.vtp", "a", ".xyz", "a.XYZ"):
            self.refused(
                r"export writes FILE\.xyz \(OVITO\) or FILE\.pvd \(ParaView\), not '.*'",
                self.base,
                path,
            )
        self.refused(
            r"/proc/a\.xyz: cannot be written \(No such file or directory\); the partial file was removed",
            self.base,
            "/proc/a.xyz",
        )
        for ending in ("xyz", "pvd"):
            path = f"{self.folder.name}/new/x.{ending}"
            said = rf"{path}: cannot be written \(no folder {self.folder.name}/new\): create it or choose another place"
            for base in (self.base, "no such base"):  # complains before reading anything
                self.refused(said, base, path)
        self.write(1, BODIES[:1])
        for ending in ("xyz", "pvd"):
            self.refused(
                r"\S+six\.1\.dat: 1 bodies, but 2 in \S+six\.0\.dat: remove the files of the older run",
                self.base,
                f"{self.base}.{ending}",
            )
        self.write(1, head=HEAD.replace("kdk", "dkd"))
        self.refused(
            r"\S+six\.1\.dat:1: integrator=dkd, but kdk in \S+: remove the files of the older run",
            self.base,
            f"{self.base}.xyz",
        )
        self.write(1, ((BODIES[0][0], *BODIES[1][1:]), (3, *BODIES[1][1:])))
        for ending in ("xyz", "pvd"):
            self.refused(
                r"\S+six\.1\.dat: other masses than in \S+six\.0\.dat: remove the files of the older run",
                self.base,
                f"{self.base}.{ending}",
            )
        self.write(1, ((1, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0)))
        self.refused(
            r"\S+six\.1\.dat:4: mass of record 2 is '0\.0', but a mass must be above 0",
            self.base,
            f"{self.base}.pvd",
        )

    def test_sizes(self):
        self.assertEqual(
            [export.in_words(size) for size in (0, 730, 374_000, 999_000, 1_000_000, 2_340_000)],
            ["0.0 kB", "0.7 kB", "374.0 kB", "999.0 kB", "1.0 MB", "2.3 MB"],
        )

    def test_a_full_disk_leaves_nothing(self):
        """The third piece no longer fits."""
        for iteration in (0, 1, 2):
            self.write(iteration)
        for ending in ("xyz", "pvd"):
            left = [2]

            def write(file, content, plain=UnfinishedFile.write, left=left):
                left[0] -= 1
                if left[0] < 0:
                    raise OSError(28, "No space left on device")
                plain(file, content)

            with unittest.mock.patch.object(UnfinishedFile, "write", write):
                self.refused(
                    r"\S+: cannot be written \(No space left on device\); the partial file was removed",
                    self.base,
                    f"{self.base}.{ending}",
                )

    def test_a_real_full_disk(self):
        if not os.access("/dev/full", os.W_OK):
            self.skipTest("no /dev/full here")
        file = UnfinishedFile(f"{self.base}.xyz")
        file.stream.close()
        file.stream = open("/dev/full", "wb")
        file.write(b"x" * 10)
        file.discard()
        self.assertEqual(self.names(), [])

    def test_interrupted(self):
        self.write(0)
        for ending in ("xyz", "pvd"):

            def states():
                yield export_formats.read_state(f"{self.base}.0.dat", 0)
                raise KeyboardInterrupt

            with self.assertRaises(KeyboardInterrupt):
                export.written(states(), f"{self.base}.{ending}")
        self.assertEqual(self.names(), ["six.0.dat"])

    def test_long_work_says_how_far_it_is(self):
        for iteration in (0, 1):
            self.write(iteration)
        with unittest.mock.patch.object(export, "PATIENCE", -1):
            self.assertEqual(
                self.export(self.base, f"{self.base}.xyz")[2],
                "lab: 1 of 2 states, about 0 s left\n",
            )

    def test_what_is_no_body_file(self):
        for text, fine in (
            ("1\n1 1 1 1 1 1 1 1\n", True),
            ("1\n1 1 nan 1 1 1 1 1\n", False),
            ("1\n1 1 1e999 1 1 1 1 1\n", False),
            ("1\n1 1 1e-999 1 1 1 1 1\n", False),
            ("1\n1 -1 1 1 1 1 1 1\n", False),
            ("2\n1 1 1 1 1 1 1 1\n", False),
            ("1\n1 1 1 1 1 1 1 1_0\n", False),
            ("", False),
            ("1\n1 1 0e5 1 1 1 1 .0", True),
        ):
            self.assertEqual(
                export_formats.records_of(export_formats.numbers_in(text.encode())) is not None,
                fine,
                text,
            )
