"""Which runs show a page."""

import pytest

from nbody_lab.commands import build
from nbody_lab.view import show


@pytest.fixture
def page_of_run(run_lab, nothing_is_built, monkeypatch):
    """Whether ./lab run with these options would show a page; it runs nothing."""

    def run(*options, person=True):
        pages = []

        async def show_run(argv, *_):
            pages.append(argv)
            return 0

        monkeypatch.setattr(build, "_is_interactive", lambda: person)
        monkeypatch.setattr(build, "run_program", lambda *_: 0)
        monkeypatch.setattr(show, "show_run", show_run)
        for name in ("demand_name", "build"):
            monkeypatch.setattr(build.Lab, name, lambda *_: None)
        monkeypatch.setattr(build.Lab, "begin", lambda _: None)
        assert run_lab("run", "part1", "naive", "-n", "10", "-i", "1", *options).status == 0
        return bool(pages)

    return run


@pytest.mark.parametrize("options", [[], ["-v"], ["--threads", "2"]])
def test_a_person_sees_the_run(options, page_of_run):
    assert page_of_run(*options)


@pytest.mark.parametrize(
    "options", [["--nv"], ["-w", "out"], ["--log", "x.csv"], ["--version"], ["-h"]]
)
def test_runs_that_keep_something_show_no_page(options, page_of_run):
    assert not page_of_run(*options)


def test_scripts_show_a_page_only_on_request(page_of_run):
    assert not page_of_run(person=False)
    assert page_of_run("--web", "127.0.0.1:0", person=False)
