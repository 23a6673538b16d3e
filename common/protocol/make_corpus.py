#!/usr/bin/env python3
"""Writes messages for the test and the fuzzer into hello/, request/ and answer/ of a new folder: make_corpus.py FOLDER

Built from docs/protocol.md alone, without the library: a second opinion on the format. Files
named good_* are messages, all others break one rule each.
"""
import struct
import sys
from pathlib import Path

NAN = float("nan")


def frame(kind, payload, id=1, version=3, size=None):
    size = len(payload) if size is None else size
    return struct.pack("<8sIIQQ", b"NBODYLAB", version, kind, id, size) + payload


def hello(precision=4, flags=0, ranks=1, zero=0, names=(b"part1", b"mine", b"")):
    return struct.pack("<4I64s64s64s", precision, flags, ranks, zero, *names)


def request(columns, precision=4, flags=1, threads=0, ranks=0, n=None, steps=1,
            setting=(1.0, 0.0, 0.5, 0.25, 1.0), integrator=b""):
    n = len(columns[0]) if n is None else n
    numbers = [value for column in columns for value in column]
    return (struct.pack("<4I2Q5d64s", precision, flags, threads, ranks, n, steps, *setting,
                        integrator) +
            struct.pack(f"<{len(numbers)}d", *numbers))


def answer(n, states, accelerations, flags=None, stated_n=None, stated_states=None, fill=1.5,
           jerk=False):
    flags = int(accelerations) + 2 * int(jerk) if flags is None else flags
    numbers = states * (1 + 6 * n) + 3 * n * (int(accelerations) + int(jerk))
    return (struct.pack("<2I2Q", flags, 0, stated_n or n, stated_states or states) +
            struct.pack("<d", fill) * numbers)


ONE = [[2.0], [1.0], [0.0], [0.0], [0.0], [0.5], [0.0]]
THREE = [[1.0, 2.0, 3.0]] + [[0.5 * k + j for j in range(3)] for k in range(6)]


def one_with(column, value):
    return [[value] if k == column else ONE[k] for k in range(7)]


HELLOS = {
    "good_float": frame(4, hello(), id=0),
    "good_double_avx2_jerk": frame(4, hello(8, 1, 4, names=(b"part2", b"mine", b"avx2")), id=0),
    "good_longest_names": frame(4, hello(names=(b"p" * 64, b"n" * 64, b"i" * 64)), id=0),
    "empty": b"",
    "cut_in_payload": frame(4, hello(), id=0)[:100],
    "too_long": frame(4, hello() + b"x", id=0),
    "id_not_0": frame(4, hello(), id=1),
    "wrong_kind": frame(2, hello(), id=0),
    "version_1": frame(4, hello(), id=0, version=1),
    "precision_of_half": frame(4, hello(precision=2), id=0),
    "unknown_flag": frame(4, hello(flags=2), id=0),
    "no_rank": frame(4, hello(ranks=0), id=0),
    "too_many_ranks": frame(4, hello(ranks=65537), id=0),
    "bytes_not_0": frame(4, hello(zero=1), id=0),
    "name_with_a_line_end": frame(4, hello(names=(b"part1", b"mi\nne", b"")), id=0),
    "name_goes_on_after_a_zero": frame(4, hello(names=(b"part1", b"mi\0ne", b"")), id=0),
}
REQUESTS = {
    "good_one_body": frame(1, request(ONE)),
    "good_three_bodies_all_flags": frame(1, request(THREE, 8, 15, 4, 2, steps=10, integrator=b"euler"),
                                         id=2**64 - 1),
    "good_no_step": frame(1, request(ONE, flags=0, steps=0, setting=(0.0, 0.0, 0.0, 0.0, 0.0))),
    "empty": b"",
    "cut_in_header": frame(1, request(ONE))[:20],
    "cut_in_payload": frame(1, request(THREE))[:150],
    "wrong_version": frame(1, request(ONE), version=1),
    "too_many_ranks": frame(1, request(ONE, ranks=65537)),
    "integrator_with_a_blank": frame(1, request(ONE, integrator=b"leap frog")),
    "wrong_kind": frame(2, request(ONE)),
    "lying_bodies": frame(1, request(ONE, n=1 + 2**61)),
    "lying_size": frame(1, request(ONE), size=2**34),
    "unknown_flag": frame(1, request(ONE, flags=16)),
    "precision_of_half": frame(1, request(ONE, precision=2)),
    "negative_mass": frame(1, request(one_with(0, -1.0))),
    "damping_above_1": frame(1, request(ONE, setting=(1.0, 0.0, 0.5, 0.25, 1.5))),
    "position_not_a_number": frame(1, request(one_with(2, NAN))),
    "too_many_states": frame(1, request(ONE, flags=2, steps=2**60)),
}
ANSWERS = {
    "good_one_state": frame(2, answer(1, 1, False)),
    "good_states_and_accelerations": frame(2, answer(2, 3, True), id=77),
    "good_jerk_alone": frame(2, answer(2, 1, False, jerk=True)),
    "good_not_a_number": frame(2, answer(2, 1, True, fill=NAN)),
    "good_refusal": frame(3, b"bodies 1 and 2 coincide"),
    "empty": b"",
    "empty_refusal": frame(3, b""),
    "long_refusal": frame(3, b"a" * 4097),
    "cut_in_payload": frame(2, answer(2, 1, True))[:100],
    "wrong_kind": frame(1, answer(1, 1, False)),
    "no_states": frame(2, struct.pack("<2I2Q", 0, 0, 1, 0)),
    "lying_states": frame(2, answer(1, 1, False, stated_states=1 + 2**61)),
    "lying_bodies": frame(2, answer(1, 1, False, stated_n=1 + 2**61)),
    "flag_without_accelerations": frame(2, answer(1, 1, False, flags=1)),
    "flag_without_jerk": frame(2, answer(1, 1, False, flags=2)),
    "unknown_flag": frame(2, answer(1, 1, False, flags=4)),
}

for kind, messages in (("hello", HELLOS), ("request", REQUESTS), ("answer", ANSWERS)):
    folder = Path(sys.argv[1], kind)
    folder.mkdir(parents=True)
    for name, message in messages.items():
        (folder / name).write_bytes(message)
