"""Do OVITO and VTK read what ./lab export writes? The suite readers installs them into build/tools/readers."""

import contextlib
import importlib.util
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from nbody_lab.export import command as export

BODIES = ((1.5, 0.125, 1, -2, 3, 0.25, 0.5, -0.75), (2.5, 0, -1, 5e10, 6, 0.5, 8, 9))


def there(module):
    return importlib.util.find_spec(module) is not None


class Readers(unittest.TestCase):
    """Three states of two bodies; in the last one (iteration 20, time 2) all positions are doubled."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.base = f"{self.folder.name}/run"
        for iteration in (0, 10, 20):
            lines = [
                " ".join(
                    repr(float(x) * (1 + (k in (2, 3, 4)) * iteration / 20))
                    for k, x in enumerate(body)
                )
                for body in BODIES
            ]
            Path(f"{self.base}.{iteration}.dat").write_text(
                f"# nbody-lab: G=1 time={iteration / 10}\n2\n{lines[0]}  # The Sun\n{lines[1]}\n",
                encoding="utf-8",
            )

    def export(self, ending):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(export.export(None, [self.base, f"{self.base}.{ending}"]), 0)
        return f"{self.base}.{ending}"

    @unittest.skipUnless(there("ovito"), "no OVITO here: ./lab test readers installs it")
    def test_ovito(self):
        """Runs in its own process: OVITO's libraries may clash with those of VTK."""
        said = subprocess.run(
            [
                sys.executable,
                "-c",
                """
import sys
from ovito.io import import_file
file = import_file(sys.argv[1])
data = file.compute(file.source.num_frames - 1)
bodies = data.particles
print(file.source.num_frames, data.attributes['Time'], data.attributes['iteration'], data.cell)
print([list(map(float, bodies[name][1])) for name in ('Position', 'Velocity')], [list(map(float, bodies[name])) for name in ('Mass', 'Radius')])
print(list(bodies['name']))
""",
                self.export("xyz"),
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        self.assertEqual(
            said.stdout.splitlines(),
            [
                "3 2.0 20 None",
                "[[-2.0, 100000000000.0, 12.0], [0.5, 8.0, 9.0]] [[1.5, 2.5], [0.125, 0.0]]",
                "['The_Sun', 'body']",
            ],
            said.stderr,
        )

    @unittest.skipUnless(there("vtk"), "no VTK here: ./lab test readers installs it")
    def test_vtk(self):
        import xml.etree.ElementTree as xml

        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

        rows = xml.parse(self.export("pvd")).getroot().findall("Collection/DataSet")
        self.assertEqual([float(row.get("timestep")) for row in rows], [0, 1, 2])
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(f"{self.folder.name}/{rows[-1].get('file')}")
        reader.Update()
        data = reader.GetOutput()
        self.assertEqual(
            (reader.GetErrorCode(), data.GetNumberOfPoints(), data.GetNumberOfVerts()), (0, 2, 2)
        )
        self.assertEqual(
            vtk_to_numpy(data.GetPoints().GetData()).tolist(), [[2, -4, 6], [-2, 1e11, 12]]
        )
        found = {
            name: vtk_to_numpy(data.GetPointData().GetArray(name)).tolist()
            for name in ("mass", "radius", "velocity")
        }
        self.assertEqual(
            found,
            {
                "mass": [1.5, 2.5],
                "radius": [0.125, 0],
                "velocity": [[0.25, 0.5, -0.75], [0.5, 8, 9]],
            },
        )
        self.assertEqual(vtk_to_numpy(data.GetFieldData().GetArray("TimeValue")).tolist(), [2])
