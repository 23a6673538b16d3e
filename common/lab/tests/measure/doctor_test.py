"""Does the doctor's page report what is there, even if almost nothing is?"""

from nbody_lab.measure import doctor

PACKAGES = """[needed]
sh tool:sh  # it runs
libnone-dev header:no/such.hpp  # none: text
[wanted]
other tool:no-such-tool
"""


def test_next_to_nothing(tmp_path, monkeypatch):
    """In a nearly empty lab, where missing tools are named, not stumbled over. Busy is what runs now, as ./lab machine
    judges it: the load of the last minute may be over."""
    for file, text in (
        ("common/setup/packages.txt", PACKAGES),
        ("build/debug/manifest.json", "{}"),
        ("build/release/manifest.json", "{}"),
        ("sh", "#!/bin/sh"),
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    (tmp_path / "sh").chmod(0o755)
    for name, value in (("PATH", str(tmp_path)), ("CXX", ""), ("OMP_NUM_THREADS", "3")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(doctor, "CUDA_COMPILERS", ())
    monkeypatch.setattr(doctor.cpuinfo, "busy_cores", lambda: 1.4)
    rows = {line[:12].strip(): line[14:] for line in doctor.report(tmp_path)}
    expected = {
        "lab": "unknown",
        "load": "1.4 cores busy now: measure later",
        "compilers": "none",
        "CMake, Ninja": "no cmake; ninja missing",
        "CUDA": "no nvcc (part 3 needs it: ./lab setup --cuda)",
        "GPU": "no GPU answers",
        "packages": "missing: libnone-dev (./lab setup)",
        "built": "build/debug build/release",
        "threads": "OMP_NUM_THREADS=3",
    }
    assert rows == rows | expected
