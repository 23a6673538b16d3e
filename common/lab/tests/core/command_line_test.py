"""What a command hands on to a program."""

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from nbody_lab.core.command_line import LabCommand, hands_on


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
