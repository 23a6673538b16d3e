"""Does setup.sh accept the supported compilers and refuse older ones, in one line?"""

import os

import pytest

from nbody_lab import ROOT
from tests import said_by

TOOLS = "bash c++ g++ cmake ninja python3 git grep sed head tr uname dirname cat id".split()
SETUP = ROOT / "common/setup/setup.sh"


def setup(*words, **environment):
    return said_by(["bash", SETUP, *words], stdin=-3, env={**os.environ, **environment})


@pytest.mark.parametrize(
    ("version", "is_supported"),
    [
        ("__clang_major__ 11", True),
        ("14 4", True),
        ("__clang_major__ 10", False),
        ("13 4", False),
    ],
)
def test_compilers(version, is_supported, tmp_path):
    compiler = tmp_path / "own++"
    compiler.write_text(f"#!/bin/sh\ncat >/dev/null\necho 'lab {version}'\n", encoding="utf-8")
    compiler.chmod(0o755)
    status, out, err = setup("--compiler", CXX=str(compiler))
    if is_supported:
        assert (status, out, err) == (0, "", "")
    else:
        assert (status, err.count("\n")) == (2, 1)
        assert "is not a suitable C++ compiler (g++ 11, clang 14 or newer)" in err
