#!/usr/bin/env python3
"""Writes body files for the test and the fuzzer into a new folder: make_corpus.py FOLDER

Those named good_* are scenes, all others break one rule each. ./lab's own reader is tested with them, too.
"""

import sys
from pathlib import Path

ONE = b"1e20 1e6 1 2 3 4 5 6\n"
TWO = b"2e20 2e6 -1.5 2.25e8 -3e-4 .5 7. -0"

FILES = {
    "good_one": b"1\n" + ONE,
    "good_one_line_no_newline": b"2 " + ONE.replace(b"\n", b" ") + TWO,
    "good_record_over_lines": b"1\n1e20\n1e6\n1 2 3\n\n# in between\n4 5\n+6\n",
    "good_crlf_comments": (
        b"# two bodies\n\n2 # N\n" + ONE + b"\n" + TWO + b" # the last#one\n"
    ).replace(b"\n", b"\r\n"),
    "good_header": b"# nbody-lab: G=1 soft=0.5 dt=1e-3 mdt=1e-5 time=-12.5\n2\n"
    + ONE
    + TWO
    + b"\n",
    "good_empty_header": b"# nbody-lab:\n1\n" + ONE,
    "good_extremes": b"1\n4.9e-324 0 1.7976931348623157e308 -2.2250738585072014e-308 0.1 0.30000000000000004 -0 1e-300\n",
    "good_sun_earth_moon": b"""3
198910000.0000e22 696.3420e6  0.0000e8 0.0000e8 -1496.0000e8  0.0000e3  0.0000e3 0.0000e3
      597.3600e22   6.3781e6  0.0000e8 0.0000e8     0.0000e8 29.7830e3 -0.0125e3 0.0000e3
        7.3477e22   1.7374e6 -3.8446e8 0.0000e8     0.0000e8 29.7830e3  1.0183e3 0.0000e3
""",
    "empty": b"",
    "comment_only": b"# nothing else",
    "binary": b"1\n1 1 1 \0 1 1 1 1\n\xff\xfe\x80",
    "absurd_number": b"99999999999999999999\n" + ONE,
    "lying_number": b"134217728\n" + ONE,
    "too_few": b"3\n" + ONE + TWO + b" 1 2",
    "too_many": b"1\n" + ONE + TWO + b"\n",
    "negative_mass": b"1\n-1 1 1 1 1 1 1 1\n",
    "not_finite": b"2\n" + ONE + b"1 1 nan inf 0x1p3 1e999 -- 1e5x\n",
    "unknown_key": b"# nbody-lab: G=1 colour=red\n1\n" + ONE,
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for name, content in FILES.items():
        (folder / f"{name}.dat").write_bytes(content)
