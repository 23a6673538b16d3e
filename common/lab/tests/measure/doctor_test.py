"""Does the doctor's page report what is there, even if almost nothing is?"""

from nbody_lab.measure import doctor


def test_next_to_nothing(tmp_path, monkeypatch):
    """In a nearly empty lab, where missing tools are named, not stumbled over. Busy is what runs now, as ./lab machine
    judges it: the load of the last minute may be over."""
    (tmp_path / "build/release").mkdir(parents=True)
    (tmp_path / "build/release/manifest.json").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(doctor, "CUDA_COMPILERS", ())
    monkeypatch.setattr(doctor.cpuinfo, "busy_cores", lambda: 1.4)
    rows = {line[:12].strip(): line[14:] for line in doctor.report(tmp_path)}
    expected = {
        "load": "1.4 cores busy now: measure later",
        "compilers": "none",
        "CUDA": "no nvcc (part 3 needs it: ./lab setup --cuda)",
        "GPU": "no GPU answers",
        "built": "build/release",
    }
    assert rows == rows | expected
