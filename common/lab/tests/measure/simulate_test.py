"""Simulated clusters: what is made of an answer, and times that can be checked by hand."""

import shutil
import subprocess
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.measure import simulated
from nbody_lab.measure.simulated import Network, Timing

SMPI = pytest.mark.skipif(
    not (shutil.which("smpicxx") and shutil.which("smpirun")), reason="no SimGrid here"
)


def test_shares_of_a_known_answer() -> None:
    """Two ranks: one computes all the time, the other half of it."""
    spans = (0, 1e-3, 0, 2.5e-4, 5e-4, 7.5e-4)
    timing = Timing(ranks=2, n=1000, seconds=1e-3, counts=(2, 4), spans=spans)
    row = simulated.row_of(timing, rate=1)
    found = row.computing, row.interactions_per_s, row.efficiency
    assert found == pytest.approx((0.75, 1e9, 0.5))
    assert row.spans == (spans[:2], spans[2:])


def _answer(folder: Path, change: tuple[str, str], ranks: int, n: int) -> Timing:
    """Of naive, changed, on Gigabit Ethernet with 10^10 interactions/s of a rank."""
    text = (ROOT / "part4_mpi/naive.hpp").read_text(encoding="utf-8")
    assert change[0] in text
    header, program = folder / "changed.hpp", folder / "program"
    header.write_text("#include <cstdlib>\n" + text.replace(*change), encoding="utf-8")
    words = ["smpicxx", *simulated.FLAGS, f"-I{ROOT / 'common'}", f"-I{ROOT / 'part4_mpi'}"]
    words += [f'-DLAB_HEADER="{header}"', "-DLAB_CLASS=Naive", simulated.MAIN, "-o", program]
    subprocess.run(words, check=True)
    return simulated.ask(program, Network.GBE, 10, ranks, n)


N = 100000
# Three broadcasts of 4 n bytes, three messages of 2 n bytes back. The hosts are two links of 25 us apart; SMPI takes some
# percent of the bandwidth for protocols.
LOGGP = N * N / 2 / 10e9 + 3 * (5e-5 + 4 * N / 125e6) + 3 * (5e-5 + 2 * N / 125e6)


@SMPI
@pytest.mark.parametrize(
    ("ranks", "seconds", "tolerance"), [(1, N * N / 10e9, 1e-6), (2, LOGGP, 0.1)]
)
def test_times_by_hand(tmp_path: Path, ranks: int, seconds: float, tolerance: float) -> None:
    timing = _answer(tmp_path, ("", ""), ranks, N)
    assert timing.seconds == pytest.approx(seconds, rel=tolerance)


NOT_DECLARED = ("if (!simulated_work(double(end - first) * n()))", "if (true)")


@SMPI
def test_work_must_be_declared(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"^.*if \(!simulated_work\(bodies \* n\)\).*$"):
        simulated.row_of(_answer(tmp_path, NOT_DECLARED, 2, 500), 10)
