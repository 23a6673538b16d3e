"""Simulated clusters: their options, their output, and times that can be checked by hand."""

import shutil
import subprocess
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.measure import simulate, simulated
from nbody_lab.measure.simulate import Network
from nbody_lab.measure.simulated import Timing

SMPI = pytest.mark.skipif(
    not (shutil.which("smpicxx") and shutil.which("smpirun")), reason="no SimGrid here"
)


def test_shares_of_a_known_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """Two ranks: one computes all the time, the other half of it. The table says that it is simulated, with the rate
    and where it comes from."""
    spans = (0, 1e-3, 0, 2.5e-4, 5e-4, 7.5e-4)
    timing = Timing(ranks=2, n=1000, seconds=1e-3, counts=(2, 4), spans=spans)
    row = simulated.row_of(timing, rate=1)
    found = row.computing, row.interactions_per_s, row.efficiency
    assert found == pytest.approx((0.75, 1e9, 0.5))
    assert row.spans == (spans[:2], spans[2:])
    about = {"name": "mine", "network": "ib", "rate": 1, "rate_from": "as asked"}
    simulated.show_result(simulated.Simulated(**about, rows=(row,)))
    out = capsys.readouterr().out
    assert out.startswith("simulated: part4/mine on ib, 1000 bodies;")
    assert "a rank computes 1 x 10^9 interactions/s (as asked)" in out
    assert "2 1000 1 1 50 % 75 %".split() in [line.split() for line in out.splitlines()]


def _compiled(folder: Path, header: Path) -> Path:
    program = folder / f"{header.stem}_program"
    words = ["smpicxx", *simulate.FLAGS, f"-I{ROOT / 'common'}", f"-I{ROOT / 'part4_mpi'}"]
    words += [f'-DLAB_HEADER="{header}"', "-DLAB_CLASS=Naive", simulate.MAIN, "-o", program]
    subprocess.run(words, check=True)
    return program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _compiled(tmp_path_factory.mktemp("simulated"), ROOT / "part4_mpi/naive.hpp")


def _answer(program: Path, ranks: int, n: int) -> Timing:
    return simulate.ask(program, Network.GBE, 10, ranks, n)


@SMPI
def test_one_rank_takes_what_is_charged(program: Path) -> None:
    """And the same question has the same answer."""
    assert _answer(program, 1, 10000).seconds == pytest.approx(1e8 / 10e9, abs=1e-7)
    assert _answer(program, 4, 20000) == _answer(program, 4, 20000)


@SMPI
def test_two_ranks_are_those_of_loggp(program: Path) -> None:
    """naive on 2 ranks of Gigabit Ethernet: three broadcasts of 4 n bytes, three messages of 2 n bytes back. The hosts
    are two links of 25 us apart; SMPI takes some percent of the bandwidth for protocols."""
    n = 100000
    by_hand = n * n / 2 / 10e9 + 3 * (5e-5 + 4 * n / 125e6) + 3 * (5e-5 + 2 * n / 125e6)
    assert _answer(program, 2, n).seconds / by_hand == pytest.approx(1, abs=0.1)


@SMPI
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            ("if (!charged(double(end - first) * n()))", "if (true)"),
            r"if \(!charged\(rows \* n\)\)",
        ),
        (("if (!charged(", "std::abort(); if (!charged("), "no answer on 2 ranks"),
    ],
)
def test_what_a_program_does_wrong_is_one_line(
    tmp_path: Path, change: tuple[str, str], why: str
) -> None:
    """It does not declare its work; it dies."""
    header = tmp_path / "changed.hpp"
    text = (ROOT / "part4_mpi/naive.hpp").read_text(encoding="utf-8")
    assert change[0] in text
    header.write_text("#include <cstdlib>\n" + text.replace(*change), encoding="utf-8")
    with pytest.raises(LabError, match=why) as refused:
        simulated.row_of(_answer(_compiled(tmp_path, header), 2, 500), 10)
    assert "\n" not in str(refused.value)
