#!/usr/bin/env python3
"""Writes the corpora of the fuzzers: request/ and answer/ beside this file.

Built from docs/protocol.md alone, without the library: a second opinion on the format. Files
named good_* are messages, all others break one rule each.
"""
import struct
from pathlib import Path

HERE = Path(__file__).parent
NAN = float("nan")


def frame(kind, payload, id=1, version=1, size=None):
    size = len(payload) if size is None else size
    return struct.pack("<8sIIQQ", b"NBODYLAB", version, kind, id, size) + payload


def request(columns, precision=4, flags=1, threads=0, zero=0, n=None, steps=1,
            setting=(1.0, 0.0, 0.5, 0.25)):
    n = len(columns[0]) if n is None else n
    numbers = [value for column in columns for value in column]
    return (struct.pack("<4I2Q4d", precision, flags, threads, zero, n, steps, *setting) +
            struct.pack(f"<{len(numbers)}d", *numbers))


def answer(n, states, accelerations, flags=None, stated_n=None, stated_states=None, fill=1.5):
    flags = int(accelerations) if flags is None else flags
    numbers = states * (1 + 6 * n) + (3 * n if accelerations else 0)
    return (struct.pack("<2I2Q", flags, 0, stated_n or n, stated_states or states) +
            struct.pack("<d", fill) * numbers)


ONE = [[2.0], [1.0], [0.0], [0.0], [0.0], [0.5], [0.0]]
THREE = [[1.0, 2.0, 3.0]] + [[0.5 * k + j for j in range(3)] for k in range(6)]


def one_with(column, value):
    return [[value] if k == column else ONE[k] for k in range(7)]


REQUESTS = {
    "good_one_body": frame(1, request(ONE)),
    "good_three_bodies_all_flags": frame(1, request(THREE, 8, 7, 4, steps=10), id=2**64 - 1),
    "good_no_step": frame(1, request(ONE, flags=0, steps=0, setting=(0.0, 0.0, 0.0, 0.0))),
    "empty": b"",
    "cut_in_header": frame(1, request(ONE))[:20],
    "cut_in_payload": frame(1, request(THREE))[:150],
    "wrong_version": frame(1, request(ONE), version=2),
    "wrong_kind": frame(2, request(ONE)),
    "lying_bodies": frame(1, request(ONE, n=1 + 2**61)),
    "lying_size": frame(1, request(ONE), size=2**34),
    "unknown_flag": frame(1, request(ONE, flags=8)),
    "precision_of_half": frame(1, request(ONE, precision=2)),
    "negative_mass": frame(1, request(one_with(0, -1.0))),
    "position_not_a_number": frame(1, request(one_with(2, NAN))),
    "too_many_states": frame(1, request(ONE, flags=2, steps=2**60)),
}
ANSWERS = {
    "good_one_state": frame(2, answer(1, 1, False)),
    "good_states_and_accelerations": frame(2, answer(2, 3, True), id=77),
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
    "unknown_flag": frame(2, answer(1, 1, False, flags=2)),
}

for folder, messages in (("request", REQUESTS), ("answer", ANSWERS)):
    (HERE / folder).mkdir(exist_ok=True)
    for name, message in messages.items():
        (HERE / folder / name).write_bytes(message)
