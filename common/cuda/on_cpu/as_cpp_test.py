#!/usr/bin/env python3
"""What as_cpp.py makes of a source: launches, shared arrays, headers, and the lines that messages name."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from as_cpp import CannotRead, Source

# Kernel, shape and arguments of a launch.
LAUNCHES = (
    ("go", "1, 2", ""),
    ("a::go<T, (3 > 2)>", "dim3(1, 2), f(n, 3), 0, stream", "f(x), g<4>(y)"),
    ("this->kernel", "n >> 3, 2", "a[i]"),
    ("(b ? go<1> : go<2>)", "1, 2", "a,\n b"),
)
UNCHANGED = ("// go<<<1, 2>>>(a);", "/* go<<<1,\n2>>>(a) */", 'say("go<<<1, 2>>>(a)");')
ONE = "auto& {0} = ::nbody::on_cpu::shared<on_cpu_{0}>([] {{}});"
SHARED = {
    "__shared__ __align__(16) real a[2][n ? 4 : 3][f(1, 2)], b;": "typedef real on_cpu_a[2][n ? 4 : 3][f(1, 2)], "
    f"on_cpu_b; {ONE.format('a')} {ONE.format('b')}",
    "extern __shared__ real4 tile[];": "real4* const tile = static_cast<real4*>(::nbody::on_cpu::shared_of_launch());",
}
FILES = {
    "a.cuh": "#pragma once\nint a;\n",
    "b.hpp": "int b;\n",
    "gpu.cuh": 'asm("x");\n',
    "on_cpu/gpu.cuh": "int c;\n",
    "main.cu": '#include "a.cuh"\n#include "a.cuh"\n#include "b.hpp"\n#include "gpu.cuh"\n',
    "mine.cuh": '// asm\nint x;\nasm("x");\n',
    "half.cuh": "\ngo<<<1, 2;\n",
}


class AsCppTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name).resolve()
        (self.place / "on_cpu").mkdir()

    def read(self, name, text):
        (self.place / name).write_text(text, encoding="utf-8")
        return Source([]).read(self.place / name)

    def test_launches_and_shared_arrays(self):
        for kernel, shape, given in LAUNCHES:
            new = self.read("a.cu", f"f<<<8, 9>>>(x); {kernel}<<<{shape}>>>({given});\nint a;")
            self.assertIn(f"{{ {kernel}(on_cpu_given...); }}", new)
            comma = ", " if given else ""
            self.assertTrue(new.endswith(f"shape({shape}){comma}{given});\nint a;"), new)
        for text, new in (SHARED | dict(zip(UNCHANGED, UNCHANGED))).items():
            self.assertEqual(self.read("a.cu", text).partition("\n")[2], new)

    def test_headers_are_put_in_once_or_replaced_and_refused_with_their_lines(self):
        for name, text in FILES.items():
            (self.place / name).write_text(text, encoding="utf-8")
        main = f'"{self.place}/main.cu"'
        self.assertEqual(
            Source([]).read(self.place / "main.cu"),
            f'#line 1 {main}\n#line 1 "{self.place}/a.cuh"\n\nint a;\n\n#line 2 {main}\n\n#line 3 {main}\n'
            f'#include "{self.place}/b.hpp"\n#line 1 "{self.place}/on_cpu/gpu.cuh"\nint c;\n\n#line 5 {main}\n',
        )
        for name, why in {
            "mine.cuh:3": "asm needs a GPU",
            "half.cuh:2": "this launch cannot be read",
        }.items():
            with self.assertRaisesRegex(CannotRead, f"{self.place}/{name}: error: {why}"):
                Source([]).read(self.place / name.partition(":")[0])


if __name__ == "__main__":
    unittest.main()
