"""Do OVITO and VTK read what ./lab export writes? The suite readers installs them into build/tools/readers."""

import subprocess

import numpy as np
import pytest

from nbody_lab import ROOT
from nbody_lab.export.command import export
from tests.export.runs_for_tests import RunFolder

READER = ROOT / "build/tools/readers/bin/python"
BODIES = ((1.5, 0.125, 1, -2, 3, 0.25, 0.5, -0.75), (2.5, 0, -1, 5e10, 6, 0.5, 8, 9))
OVITO = """
import sys
from ovito.io import import_file
file = import_file(sys.argv[1])
data = file.compute(file.source.num_frames - 1)
bodies = data.particles
print(file.source.num_frames, data.attributes['Time'], data.attributes['iteration'], data.cell)
print(*([list(map(float, row)) for row in bodies[name]] for name in ('Position', 'Velocity')))
print(*(list(map(float, bodies[name])) for name in ('Mass', 'Radius')), list(bodies['name']))
"""
VTK = """
import sys, xml.etree.ElementTree as xml
from pathlib import Path
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
rows = xml.parse(sys.argv[1]).getroot().findall("Collection/DataSet")
reader = vtkXMLPolyDataReader()
reader.SetFileName(str(Path(sys.argv[1]).with_name(rows[-1].get("file"))))
reader.Update()
data = reader.GetOutput()
print([float(row.get("timestep")) for row in rows], reader.GetErrorCode(), data.GetNumberOfVerts(),
      *vtk_to_numpy(data.GetFieldData().GetArray("TimeValue")).tolist())
arrays = [data.GetPointData().GetArray(name) for name in ("velocity", "mass", "radius")]
points, velocity, *others = (vtk_to_numpy(one).tolist() for one in (data.GetPoints().GetData(), *arrays))
print(points, velocity)
print(*others)
"""
VECTORS = "[[2.0, -4.0, 6.0], [-2.0, 100000000000.0, 12.0]] [[0.25, 0.5, -0.75], [0.5, 8.0, 9.0]]"
OTHERS = "[1.5, 2.5] [0.125, 0.0]"


@pytest.mark.skipif(not READER.exists(), reason="no OVITO and VTK: ./lab test readers")
@pytest.mark.parametrize(
    ("ending", "script", "printed"),
    [
        ("xyz", OVITO, ["3 2.0 20 None", VECTORS, OTHERS + " ['The_Sun', 'body']"]),
        ("pvd", VTK, ["[0.0, 1.0, 2.0] 0 2 2.0", VECTORS, OTHERS]),
    ],
)
def test_the_last_of_three_states_arrives(ending, script, printed, tmp_path):
    """In iteration 20, at time 2, all positions are doubled."""
    run = RunFolder(tmp_path, "run")
    for iteration in (0, 10, 20):
        bodies = np.array(BODIES)
        bodies[:, 2:5] *= 1 + iteration / 20
        run.write(iteration, bodies, names=["The Sun"], time=iteration / 10)
    file = tmp_path / f"run.{ending}"
    export(str(run.base), file)
    words = [READER, "-c", script, file]
    read = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert read.stdout.splitlines() == printed, read.stderr
