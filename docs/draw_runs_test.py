"""Orbits and energies are drawn as the files of a run have them."""

import numpy as np
import pytest

import draw_energy
import draw_orbits

LOG = """iteration,time,dt,energy,energy_error,momentum_x,momentum_y,momentum_z,\
angular_momentum_x,angular_momentum_y,angular_momentum_z,smallest_distance,force_evaluations,wall_s
0,0,0,-2,0,0,0,0,0,0,1,1,1,0
1,0.5,0.5,-1.9,0.05,0,3e-8,4e-8,0,0,1,0.9,2,0.001
3,1.5,0.5,-2.2,-0.1,0,0,1e-8,0,0,1,0.8,4,0.004
""".replace("\\\n", "")


def write_run(folder):
    """Three bodies: the Sun, one that circles it, and one that leaves."""
    for k in range(5):
        x, y = np.cos(k), np.sin(k)
        lines = [
            f"# nbody-lab: G=1 soft=0 dt=0.5 mdt=0 time={0.5 * k}",
            "3",
            "# mass radius qx qy qz vx vy vz",
            "1 0.1 0 0 0 0 0 0  # Sun",
            f"1e-3 0.1 {x} {y} 0.2 0 0 0  # Earth",
            f"1e-6 0.1 {1 + 20 * k} 0 0 0 0 0",
        ]
        (folder / f"run.{k}.dat").write_text("\n".join(lines) + "\n")
    return folder / "run"


def test_orbits(tmp_path):
    planes, space = draw_orbits.sheets(write_run(tmp_path))
    assert planes.title == "run: orbits of 3 bodies"
    assert planes.subtitle.startswith("time 0 to 2;")
    paths = planes.axes.lines[::3]
    assert list(paths[1].get_xdata()) == pytest.approx([np.cos(k) for k in range(5)])
    assert np.isnan(paths[2].get_xdata()).tolist() == [False, *[True] * 4]
    assert len(space.axes.lines) == 3 * 4


def test_orbits_around_a_body(tmp_path, capsys):
    base = write_run(tmp_path)
    planes, _ = draw_orbits.sheets(base, "Earth")
    assert planes.title.endswith("around Earth")
    assert set(planes.axes.lines[3].get_xdata()) == {0}
    assert draw_orbits.main([str(base), "Mars"]) == 2
    assert "there is no body 'Mars'; there are Sun, Earth, 3" in capsys.readouterr().err
    assert draw_orbits.main([str(tmp_path / "none")]) == 2


def test_energies(tmp_path):
    file = tmp_path / "run.csv"
    file.write_text(LOG)
    sheet = draw_energy.sheet_of(file)
    assert sheet.title == "run: the energy changed by -1.00e-01 of its start"
    gained, lost = (line.get_ydata() for line in sheet.axes.lines)
    assert gained[1] == pytest.approx(0.05) and lost[2] == pytest.approx(0.1)
    assert np.isnan([gained[0], gained[2], lost[0], lost[1]]).all()
    momentum = sheet.all_axes[1].lines[0].get_ydata()
    assert momentum[1:] == pytest.approx([5e-8, 1e-8])
    assert sheet.all_axes[3].lines[0].get_ydata() == pytest.approx([1, 1.5])  # ms
    assert "ms" in sheet.all_axes[3].get_ylabel()


def test_what_is_no_log_is_one_line(tmp_path, capsys):
    file = tmp_path / "x.csv"
    file.write_text("iteration,time\n0,0\n")
    assert draw_energy.main([str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
