"""Tests that count_cachegrind.py reads what cachegrind says, and that a stream's ceilings are those of its processor."""

import json

import count_cachegrind
import measure_stream

SAID = """==7== I   refs:      34,909,274
==7== I1  misses:         6,342
==7== LLi misses:         5,001
==7== D   refs:      11,000,000  (9,000,000 rd + 2,000,000 wr)
==7== D1  misses:       212,345  (  200,000 rd +    12,345 wr)
==7== LLd misses:        17,210  (   10,000 rd +     7,210 wr)
==7== Branches:       3,000,000  (2,900,000 cond +   100,000 ind)
==7== Mispredicts:       40,123  (   39,000 cond +     1,123 ind)
"""


def test_what_cachegrind_says():
    assert count_cachegrind.counts_in(SAID) == {
        "instructions": 34_909_274,
        "l1_misses": 212_345,
        "last_level_misses": 17_210,
        "mispredicted": 40_123,
    }


def test_a_row_is_of_one_interaction():
    less = dict.fromkeys(count_cachegrind.COUNTS, 0)
    more = {"instructions": 2700, "l1_misses": 63, "last_level_misses": 0, "mispredicted": 40}
    bound = {"measured_cycles": 18.0, "interactions": 2}
    row = count_cachegrind.summary_row("naive", 5, less, more, (2, 6), bound)
    assert row == {
        "name": "naive",
        "n": 5,
        "instructions": 27.0,
        "cycles_each": 9.0,
        "ipc": 3.0,
        "l1_misses": 0.63,
        "last_level_misses": 0.0,
        "mispredicted": 2.0,
    }


def test_ceilings_of_a_stream_are_of_its_processor(monkeypatch):
    known = json.loads(measure_stream.CEILINGS.read_text(encoding="utf-8"))
    monkeypatch.setattr(measure_stream, "fields", lambda: {"model name": known["machine"]["cpu"]})
    found = {(one["level"], one["threads"]) for one in measure_stream.ceilings()}
    assert {("L1", 1), ("L2", 1), ("DRAM", 1), ("L1", 2), ("DRAM", 2)} <= found
    monkeypatch.setattr(measure_stream, "fields", lambda: {"model name": "another"})
    assert measure_stream.ceilings() == []
