"""What ./lab profile refuses before anything is configured or built."""

import pytest

from nbody_lab.build import lab as lab_module

FOR_FUNCTIONS = "for functions there are --debug and --annotate"
FOR_KERNELS = "for kernels there are --double and --ncu"


@pytest.mark.usefixtures("nothing_is_built")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("profile", "profile needs a part; for example: ./lab profile part1 mine"),
        ("profile part1 naive --nonsense", "profile: there is no option --nonsense; "),
        ("profile part1 naive -n many", "profile: -n needs a whole number, not 'many'"),
        ("profile part1 naive -n", "profile: -n needs "),
        ("profile part1 naive -n 1", "profile: -n needs at least 2"),
        ("profile part1 --ncu", f"profile: --ncu is for kernels on a GPU; {FOR_FUNCTIONS}"),
        ("profile part2 --double", f"profile: --double is for kernels on a GPU; {FOR_FUNCTIONS}"),
        ("profile part3 --debug", f"profile: --debug is for the CPU; {FOR_KERNELS}"),
        ("profile part3 --annotate", f"profile: --annotate is for the CPU; {FOR_KERNELS}"),
        (
            "profile part3 mine",
            "no NVIDIA GPU answers here, so part3 cannot run; ./lab check part3 mine --on-cpu ",
        ),
        ("profile part1 naive mine", "profile takes no 'mine'; "),
        (
            "profile part2 naive --vectors --debug",
            "profile --vectors runs nothing: leave out --debug",
        ),
        ("profile part2 naive --vectors -n 9", "profile --vectors runs nothing: leave out -n"),
        ("profile part3 mine --vectors", f"profile: --vectors is for the CPU; {FOR_KERNELS}"),
    ],
)
def test_refusals(run_lab, monkeypatch, words, reason):
    """One line, and status 2."""
    monkeypatch.setattr(lab_module, "gpu_answers", lambda: False)
    ended = run_lab(*words.split())
    assert (ended.status, ended.output) == (2, "")
    assert ended.error.startswith(f"lab: {reason}")
    assert ended.error.count("\n") == 1


@pytest.mark.usefixtures("nothing_is_built")
def test_a_missing_tool(run_lab, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    ended = run_lab("profile", "part1")
    assert ended == (2, "", "lab: gprof is missing; install the package binutils\n")
