"""Which runs show a page, and what ./lab record --save needs."""

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from nbody_lab.commands import build
from nbody_lab.commands import view as view_command
from nbody_lab.core.messages import UserError
from nbody_lab.viewing import show


@pytest.fixture
def page_of_run(run_lab, nothing_is_built, monkeypatch):
    """Whether ./lab run with these options would show a page; it runs nothing."""

    def run(*options, person=True):
        pages = []

        async def show_run(argv, *_):
            pages.append(argv)
            return 0

        monkeypatch.setattr(build, "_is_interactive", lambda: person)
        monkeypatch.setattr(build, "run_and_tell", lambda *_: 0)
        monkeypatch.setattr(show, "show_run", show_run)
        for name in ("demand_name", "demand_targets"):
            monkeypatch.setattr(build.Workshop, name, lambda *_: None)
        monkeypatch.setattr(build.Workshop, "begin", lambda _: None)
        assert run_lab("run", "part1", "naive", "-n", "10", "-i", "1", *options).status == 0
        return bool(pages)

    return run


@pytest.mark.parametrize("options", [[], ["-v"], ["--threads", "2"]])
def test_a_person_sees_the_run(options, page_of_run):
    assert page_of_run(*options)


@pytest.mark.parametrize(
    "options", [["--nv"], ["-w", "out"], ["--json=x"], ["--log", "x.csv"], ["--version"]]
)
def test_runs_that_keep_something_show_no_page(options, page_of_run):
    assert not page_of_run(*options)


def test_scripts_show_a_page_only_on_request(page_of_run):
    assert not page_of_run(person=False)
    assert page_of_run("--web", "127.0.0.1:0", person=False)


@pytest.mark.parametrize(
    ("options", "free", "said"),
    [
        ("-n 1000 -i 100", 4e6, "101 states need at least 5.0 MB, but only 4.0 MB are"),
        ("-n=1000 -i100", 4e6, "101 states need at least 5.0 MB, but only 4.0 MB are free"),
        ("-n 1000 -i 100 --every 50", 1e5, " 3 states need"),
    ],
)
def test_states_want_room_before_hours_of_computing(
    options, free, said, run_lab, nothing_is_built, tmp_path, monkeypatch
):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    file = tmp_path / "a.xyz"
    status, _, error = run_lab("record", "part1", "naive", "--save", file, *options.split())
    assert status == 2
    assert error.startswith(f"lab: {file}: ")
    assert said in error


def test_states_that_cannot_be_exported_are_kept(run_lab, tmp_path, monkeypatch):
    def export(*_):
        raise UserError("a full disk")

    monkeypatch.setattr(view_command.export, "export", export)
    file = tmp_path / "a.xyz"
    status, _, error = run_lab("record", "part1", "naive", "--save", file, "-n", "10", "-i", "2")
    assert status == 2
    base = Path(re.search(r"the states are kept: \./lab export (\S+) FILE\.xyz", error)[1])
    assert [*base.parent.glob("state.*.dat")]
    shutil.rmtree(base.parent)
