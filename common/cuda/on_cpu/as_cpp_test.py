#!/usr/bin/env python3
"""Tests how as_cpp.py translates launches, shared arrays and line numbers."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from as_cpp import CannotRead, Source, with_launches, with_shared

# Source; kernel, shape and arguments in what it becomes.
LAUNCHES = (
    ("  go<<<1, 2>>>(a, b);", "go", "1, 2", ", a, b"),
    ("if (x) go<<<1, 2>>>();", "go", "1, 2", ""),
    (
        "a::go<T, (3 > 2)><<<dim3(1, 2), f(n, 3), 0, stream>>>(f(x), g<4>(y));",
        "a::go<T, (3 > 2)>",
        "dim3(1, 2), f(n, 3), 0, stream",
        ", f(x), g<4>(y)",
    ),
    ("this->kernel<<<n >> 3, 2>>>(a[i]);", "this->kernel", "n >> 3, 2", ", a[i]"),
    ("(b ? go<1> : go<2>)<<<1, 2>>>(a);", "(b ? go<1> : go<2>)", "1, 2", ", a"),
    ("go<2>\n    <<<1, 2>>>(a,\n b);", "go<2>\n    ", "1, 2", ", a,\n b"),
    ("f<<<8, 9>>>(x); go<<<1, 2>>>(y);", "go", "1, 2", ", y"),
)
NO_LAUNCHES = ("// go<<<1, 2>>>(a);", "/* go<<<1,\n2>>>(a) */", 'say("go<<<1, 2>>>(a)");')
ONE = "auto& {0} = ::nbody::on_cpu::shared<on_cpu_{0}>([] {{}});"
SHARED = (
    ("__shared__ float a[2];", f"typedef float on_cpu_a[2]; {ONE.format('a')}"),
    (
        "__shared__ __align__(16) real a[2][n ? 4 : 3][f(1, 2)], b;",
        f"typedef real on_cpu_a[2][n ? 4 : 3][f(1, 2)], on_cpu_b; {ONE.format('a')} {ONE.format('b')}",
    ),
    (
        "extern __shared__ real4 tile[];",
        "real4* const tile = static_cast<real4*>(::nbody::on_cpu::shared_of_launch());",
    ),
)


def refuse(at, what):
    raise CannotRead(f"{at}: {what}")


class AsCppTest(unittest.TestCase):
    def test_launches(self):
        for text, kernel, shape, arguments in LAUNCHES:
            new = with_launches(text, refuse)
            self.assertIn(f"{{ {kernel}(on_cpu_given...); }}", new)
            self.assertIn(f"shape({shape})", new)
            self.assertTrue(new.endswith(f"{arguments});"), new)
            self.assertEqual(new.count("\n"), text.count("\n"))
        for text in NO_LAUNCHES:
            self.assertEqual(with_launches(text, refuse), text)
        with self.assertRaises(CannotRead):
            with_launches("go<<<1, 2;", refuse)

    def test_shared_arrays(self):
        for text, new in SHARED:
            self.assertEqual(with_shared(text, refuse), new)

    def test_headers_are_put_in_once_or_replaced_and_refused_with_their_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder).resolve()
            (place / "on_cpu").mkdir()
            for name, text in {
                "a.cuh": "#pragma once\nint a;\n",
                "b.hpp": "int b;\n",
                "gpu.cuh": 'asm("x");\n',
                "on_cpu/gpu.cuh": "int c;\n",
                "main.cu": '#include "a.cuh"\n#include "a.cuh"\n#include "b.hpp"\n#include "gpu.cuh"\n',
                "mine.cuh": '// asm\nint x;\nasm("x");\n',
            }.items():
                (place / name).write_text(text, encoding="utf-8")
            text = Source([]).read(place / "main.cu")
            with self.assertRaisesRegex(CannotRead, f"{place}/mine.cuh:3: error: asm needs a GPU"):
                Source([]).read(place / "mine.cuh")
        main = f'"{place}/main.cu"'
        self.assertEqual(
            text,
            f'#line 1 {main}\n#line 1 "{place}/a.cuh"\n\nint a;\n\n#line 2 {main}\n\n#line 3 {main}\n'
            f'#include "{place}/b.hpp"\n#line 1 "{place}/on_cpu/gpu.cuh"\nint c;\n\n#line 5 {main}\n',
        )


if __name__ == "__main__":
    unittest.main()
