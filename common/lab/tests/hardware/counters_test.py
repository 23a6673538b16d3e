"""./lab counters: how it reads perf stat's output, what it prints, and when it refuses.

GOOD and HYBRID are hand-written after `man perf-stat`, CSV FORMAT; no machine printed them. NONE is real output of perf
6.1 on a virtual machine.
"""

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.hardware import counters
from nbody_lab.hardware.counters import count_events, counts_table, parse_counts, require_counters

STARTED = "# started on Sun Nov 22 14:02:12 2026\n\n"
# 1000 bodies, 10 iterations: 10^7 interactions.
GOOD = (
    STARTED
    + """400000000,,cycles:u,100000000,100.00,,
1000000000,,instructions:u,100000000,100.00,2.50,insn per cycle
30000000,,branches:u,100000000,100.00,,
300000,,branch-misses:u,100000000,100.00,1.00,of all branches
200000000,,L1-dcache-loads,100000000,100.00,,
5000000,,L1-dcache-load-misses,100000000,100.00,2.50,of all L1-dcache accesses
1000000,,cache-references:u,100000000,100.00,,
250000,,cache-misses:u,100000000,100.00,25.00,of all cache refs
<not supported>,,LLC-loads,0,100.00,,
<not supported>,,LLC-load-misses,0,100.00,,
"""
)
# Two kinds of cores, and counters that share the hardware.
HYBRID = (
    STARTED
    + """233066666,,cpu_core/cycles:u/,430000,0.43,,
604097080,,cpu_atom/cycles:u/,99570000,99.57,,
<not counted>,,cpu_core/instructions:u/,0,0.00,,
1208194160,,cpu_atom/instructions:u/,60000000,60.00,,
"""
)
NONE = STARTED + "".join(
    f"<not supported>,,{event.name}:u,0,100.00,,\n" for event in counters.EVENTS
)
TABLE = """\
                                       in all per interaction
  cycles                       400.000 x 10^6              40
  instructions                   1.000 x 10^9             100  2.50 per cycle
  branches                      30.000 x 10^6               3
    mispredicted                 0.300 x 10^6            0.03  1.00 %
  loads from L1                200.000 x 10^6              20
    not in L1                    5.000 x 10^6             0.5  2.50 %
  last-level cache accesses      1.000 x 10^6             0.1
    not in it                    0.250 x 10^6           0.025  25.00 %
  not supported here: LLC-loads, LLC-load-misses
"""


INTERACTIONS = 1000 * 1000 * 10


@pytest.fixture
def perf(tmp_path, monkeypatch):
    """A perf that writes recorded output, in a kernel that allows it: perf(recorded, more commands, level)."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(counters, "PARANOID", tmp_path / "paranoid")

    def record(recorded="", after="", level="2"):
        (tmp_path / "paranoid").write_text(f"{level}\n")
        (tmp_path / "recorded").write_text(recorded)
        program = tmp_path / "perf"
        program.write_text(
            f'#!/bin/sh\necho "$@" >{tmp_path}/asked\n'
            f'while [ "$1" != -o ]; do shift; done\ncat {tmp_path}/recorded >"$2"\n{after}\n'
        )
        program.chmod(0o755)

    return record


def count_naive():
    counts = count_events("part1/naive", ["/build/bin/part1/naive", "-n", 1000, "-i", 10])
    return "\n".join(counts_table(counts, INTERACTIONS)) + "\n"


def test_a_run(perf, tmp_path):
    """Only the program is counted; the table fits the screen."""
    perf(GOOD)
    assert count_naive() == TABLE
    asked = (tmp_path / "asked").read_text()
    assert "-e cycles:u,instructions:u,branches:u,branch-misses:u," in asked
    assert asked.endswith(" -- /build/bin/part1/naive -n 1000 -i 10\n")
    assert max(map(len, TABLE.splitlines())) <= 100
    assert "part of the time" not in TABLE


def test_two_kinds_of_cores_and_counters_that_take_turns(perf):
    perf(HYBRID)
    text = count_naive()
    assert "cycles                       604.097 x 10^6" in text
    assert "instructions                   1.208 x 10^9             121  2.00 per cycle\n" in text
    assert "each was counted part of the time" in text


def test_what_is_no_number_was_not_counted():
    """Other words of a newer perf stay as they are."""
    counts = parse_counts(
        "1 000,,cycles:u,1,100,,\nn/a,,branches:u,x,100,,\n,,instructions:u,1,100,,\n"
    )
    whys = [counts[name].why_none for name in ("cycles", "branches", "instructions")]
    assert whys == ["1 000", "n/a", "<not counted>"]
    assert all(count.value is None for count in counts.values())


@pytest.mark.parametrize(
    ("recorded", "after", "level", "message"),
    [
        (
            NONE,
            "",
            "2",
            "this machine has no hardware counters, as is usual for virtual machines (perf: <not supported> for cycles, "
            "instructions and 8 more): use a physical machine",
        ),
        (
            GOOD,
            "",
            "4",
            "the kernel forbids counting (kernel.perf_event_paranoid is 4): sudo sysctl kernel.perf_event_paranoid=2",
        ),
        (
            "",
            "echo 'No permission to enable cycles:u event.' >&2; echo more >&2; exit 255",
            "2",
            "perf does not count here: No permission to enable cycles:u event.; try: sudo sysctl "
            "kernel.perf_event_paranoid=1",
        ),
    ],
    ids=["virtual machine", "forbidden", "fails"],
)
def test_no_counters(perf, recorded, after, level, message):
    """One line says what is missing and how to fix it."""
    perf(recorded, after, level)
    with pytest.raises(UserError) as error:
        require_counters()
    assert str(error.value) == message


def test_no_perf(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="perf is missing; install the package linux-perf"):
        require_counters()


def test_a_counter_that_had_no_turn_is_no_fault(perf):
    perf(GOOD.replace("400000000,,cycles:u,100000000,100.00", "<not counted>,,cycles:u,0,0.00"))
    require_counters()
    assert "  not counted here: cycles\n" in count_naive()


def test_a_program_that_stops(perf):
    perf(GOOD, 'echo "naive: no memory" >&2; exit 2')
    with pytest.raises(UserError, match=r"^part1/naive stopped: naive: no memory$"):
        count_naive()


@pytest.mark.parametrize("command", ["counters", "roofline"])
def test_a_gpu_has_others(run_lab, nothing_is_built, command):
    """Said before anything is built, as is that perf is missing."""
    words = ("part3", "naive", *(["--counters"] if command == "roofline" else []))
    ended = run_lab(command, *words)
    assert (ended.status, ended.error) == (
        2,
        "lab: these counters are the processor's; for the GPU's: ./lab profile part3 naive --ncu\n",
    )


def test_no_perf_is_said_before_building(run_lab, nothing_is_built, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    ended = run_lab("counters", "part1")
    assert ended.status == 2
    assert ended.error.startswith("lab: perf is missing")


@pytest.mark.parametrize(
    "words",
    [("-n", "0"), ("-n", "x"), ("-n",), ("--fast",), ("more",), ("--threads", "0"), ("-i", "0")],
    ids=" ".join,
)
def test_bad_words(run_lab, nothing_is_built, words):
    """Refused in one line, before anything is built."""
    ended = run_lab("counters", "part1", "naive", *words)
    assert (ended.status, ended.output, ended.error.count("\n")) == (2, "", 1)
    assert ended.error.startswith("lab: counters")
