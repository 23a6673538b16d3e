"""Does the doctor's page report what is there, even if almost nothing is?"""

from nbody_lab.measure import doctor

PACKAGES = """[needed]
sh tool:sh  # it runs
libnone-dev header:no/such.hpp  # none: text
"""


def test_next_to_nothing(tmp_path, monkeypatch):
    """In a nearly empty lab, where missing tools are named, not stumbled over. Busy is what runs now, as ./lab machine
    judges it: the load of the last minute may be over."""
    for file, text in (
        ("common/setup/packages.txt", PACKAGES),
        ("build/release/manifest.json", "{}"),
        ("sh", "#!/bin/sh"),
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    (tmp_path / "sh").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(doctor, "CUDA_COMPILERS", ())
    monkeypatch.setattr(doctor.cpuinfo, "busy_cores", lambda: 1.4)
    rows = {line[:12].strip(): line[14:] for line in doctor.report(tmp_path)}
    expected = {
        "load": "1.4 cores busy now: measure later",
        "compilers": "none",
        "CUDA": "no nvcc (part 3 needs it: ./lab setup --cuda)",
        "GPU": "no GPU answers",
        "packages": "missing: libnone-dev (./lab setup)",
        "built": "build/release",
    }
    assert rows == rows | expected
