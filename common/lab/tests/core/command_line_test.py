"""What a command passes on to a program."""

from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from nbody_lab.core.command_line import LabCommand, forwarded, hands_on


def _show(
    context: typer.Context,
    name: str,
    bodies: Annotated[object, typer.Option("-n", parser=int)] = None,
    rounds: Annotated[int, typer.Option("--rounds", "-r")] = 7,
    quick: Annotated[bool, typer.Option("--quick")] = False,
    pattern: Annotated[str | None, typer.Option("--filter")] = None,
    compare: Annotated[tuple[Path, Path] | None, typer.Option("--compare")] = None,
    plot: Annotated[str | None, typer.Option("--plot")] = None,
) -> None:
    print("|".join(forwarded(context, leave_out=["plot"])))


def _passed_on(*words: str) -> str:
    app = typer.Typer()
    app.command(cls=LabCommand)(_show)
    return CliRunner().invoke(app, ["mine", *words]).stdout.strip()


@pytest.mark.parametrize(
    ("words", "passed_on"),
    [
        ([], ""),
        (["-n", "500"], "-n|500"),
        (["-r", "3", "--quick"], "--rounds|3|--quick"),
        (["--rounds=7"], "--rounds|7"),  # although it is the default
        (["--filter", "-x"], "--filter=-x"),
        (["--compare", "a b.json", "c.json"], "--compare|a b.json|c.json"),
        (["--plot", "folder"], ""),
        (["-n", "many"], ""),  # refused
    ],
)
def test_options_are_passed_on_as_they_were_given(words: list[str], passed_on: str) -> None:
    """Those that were given, and no others: the program has its own defaults."""
    assert _passed_on(*words) == passed_on


@hands_on
def _start(
    context: typer.Context,
    name: str,
    ranks: Annotated[int | None, typer.Option()] = None,
    cpu: Annotated[bool, typer.Option("--on-cpu")] = False,
) -> None:
    print(name, ranks, cpu, "|".join(context.obj))


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ("mine", "mine None False"),
        ("mine --dt -5 --on-cpu -n7", "mine None True --dt|-5|-n7"),
        ("mine --ranks=3 --dtt", "mine 3 False --dtt"),
        ("mine -h", "mine None False -h"),
    ],
)
def test_what_a_command_does_not_know_is_handed_on(words: str, taken: str) -> None:
    app = typer.Typer()
    app.command(cls=LabCommand, context_settings={"help_option_names": ["-h"]})(_start)
    assert CliRunner().invoke(app, words.split()).stdout.strip() == taken
