#!/usr/bin/env python3
"""Tests how as_cpp.py translates launches, shared arrays and line numbers."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from as_cpp import CannotRead, Source, names_declared, with_launches, with_shared


def refuse(at, what):
    raise CannotRead(f"{at}: {what}")


def launched(text):
    return with_launches(text, refuse)


class AsCppTest(unittest.TestCase):
    def expect_launch(self, text, kernel, shape, arguments):
        new = launched(text)
        self.assertIn(f"{{ {kernel}(on_cpu_given...); }}", new)
        self.assertIn(f"shape({shape})", new)
        self.assertTrue(new.endswith(f"{arguments});"), new)
        self.assertEqual(new.count("\n"), text.count("\n"))

    def test_launches(self):
        self.expect_launch("  go<<<1, 2>>>(a, b);", "go", "1, 2", ", a, b")
        self.expect_launch("if (x) go<<<1, 2>>>();", "go", "1, 2", "")
        self.expect_launch(
            "a::go<T, (3 > 2)><<<dim3(1, 2), f(n, 3), 0, stream>>>(f(x), g<4>(y));",
            "a::go<T, (3 > 2)>",
            "dim3(1, 2), f(n, 3), 0, stream",
            ", f(x), g<4>(y)",
        )
        self.expect_launch(
            "this->kernel<<<n >> 3, 2>>>(a[i]);", "this->kernel", "n >> 3, 2", ", a[i]"
        )
        self.expect_launch(
            "(b ? go<1> : go<2>)<<<1, 2>>>(a);", "(b ? go<1> : go<2>)", "1, 2", ", a"
        )
        self.expect_launch("go<2>\n    <<<1, 2>>>(a,\n b);", "go<2>\n    ", "1, 2", ", a,\n b")

    def test_two_launches(self):
        self.assertEqual(launched("a<<<1, 2>>>(x); b<<<3, 4>>>(y);").count("on_cpu::launch("), 2)

    def test_comments_and_strings_stay(self):
        for text in ("// go<<<1, 2>>>(a);", "/* go<<<1,\n2>>>(a) */", 'say("go<<<1, 2>>>(a)");'):
            self.assertEqual(launched(text), text)

    def test_what_is_no_launch_is_refused(self):
        with self.assertRaises(CannotRead):
            launched("go<<<1, 2;")

    def test_shared_arrays(self):
        self.assertEqual(
            names_declared("real of_warp[2][W][n ? 4 : 3][f(1, 2)], b, c[3]"), ["of_warp", "b", "c"]
        )
        self.assertEqual(
            with_shared("__shared__ float a[2];", refuse),
            "typedef float on_cpu_a[2]; auto& a = ::nbody::on_cpu::shared<on_cpu_a>([] {});",
        )
        self.assertEqual(
            with_shared("extern __shared__ real4 tile[];", refuse),
            "real4* const tile = static_cast<real4*>(::nbody::on_cpu::shared_of_launch());",
        )
        two = with_shared("__shared__ __align__(16) real a[2][n], b;", refuse)
        self.assertTrue(two.startswith("typedef real on_cpu_a[2][n], on_cpu_b; auto& a = "), two)

    def test_headers_are_put_in_once_with_their_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder).resolve()
            (place / "a.cuh").write_text("#pragma once\nint a;\n", encoding="utf-8")
            (place / "b.hpp").write_text("int b;\n", encoding="utf-8")
            (place / "main.cu").write_text(
                '#include "a.cuh"\n#include "a.cuh"\n#include "b.hpp"\n#include <vector>\n',
                encoding="utf-8",
            )
            text = Source([]).read(place / "main.cu")
        self.assertEqual(
            text,
            f'#line 1 "{place}/main.cu"\n#line 1 "{place}/a.cuh"\n\nint a;\n\n#line 2 "{place}/main.cu"\n'
            f'\n#line 3 "{place}/main.cu"\n#include "{place}/b.hpp"\n#include <vector>\n',
        )

    def test_a_file_beside_stands_in(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder).resolve()
            (place / "on_cpu").mkdir()
            (place / "a.cuh").write_text('asm("x");\n', encoding="utf-8")
            (place / "on_cpu/a.cuh").write_text("int a;\n", encoding="utf-8")
            (place / "main.cu").write_text('#include "a.cuh"\n', encoding="utf-8")
            self.assertIn("int a;", Source([]).read(place / "main.cu"))

    def test_what_only_a_gpu_has_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder).resolve() / "mine.cuh"
            file.write_text('// asm\nint x;\nasm("x");\n', encoding="utf-8")
            with self.assertRaisesRegex(
                CannotRead, f"{file}:3: error: mine.cuh uses the GPU's own instructions"
            ):
                Source([]).read(file)


if __name__ == "__main__":
    unittest.main()
