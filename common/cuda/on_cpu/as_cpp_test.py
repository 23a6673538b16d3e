#!/usr/bin/env python3
"""What as_cpp.py refuses, with the line; kernels_test.cu shows what it can read."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from as_cpp import CannotRead, Source

REFUSED = (
    ('// asm\nint x;\nasm("x");\n', 3, "asm needs a GPU"),
    ("\ngo<<<1, 2;\n", 2, "this launch cannot be read"),
    ("go<<<1, 2>>>\n(a);\n__shared__ ;\n", 3, "this array in shared memory cannot be read"),
)


class AsCppTest(unittest.TestCase):
    def test_what_it_refuses_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            main, header = Path(folder).resolve() / "main.cu", Path(folder).resolve() / "a.cuh"
            main.write_text('#include "a.cuh"\n', encoding="utf-8")
            for text, line, why in REFUSED:
                header.write_text(text, encoding="utf-8")
                with self.assertRaisesRegex(CannotRead, f"{header}:{line}: error: {why}"):
                    Source([]).read(main)


if __name__ == "__main__":
    unittest.main()
