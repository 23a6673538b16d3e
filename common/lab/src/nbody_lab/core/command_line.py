"""How the commands look: their help, and their errors, in one line that says what, where and what to do."""

import inspect
from collections.abc import Callable, Collection
from enum import Enum
from typing import Any, TypeVar

import typer
from rich.table import Table
from rich.text import Text
from typer._click.exceptions import (
    BadOptionUsage,
    BadParameter,
    MissingParameter,
    NoSuchOption,
)
from typer.core import TyperCommand

from nbody_lab.core.console import render, wrapped
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import nearest

Function = TypeVar("Function", bound=Callable[..., Any])


def _is_option(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "option")


def _argument_words(parameter: Any) -> str:
    """PART, [NAME] or [NAME...]"""
    words = (parameter.metavar or parameter.name.upper()) + ("..." if parameter.nargs == -1 else "")
    return words if parameter.required else f"[{words}]"


def _option_words(option: Any) -> str:
    """-n N"""
    names = ", ".join(sorted(option.opts, key=len))
    if option.is_flag:
        return names
    return f"{names} {option.metavar or option.name.upper()}" + (
        " x 2" if option.nargs == 2 else ""
    )


def _explanation(option: Any) -> str:
    default = option.default
    if default in (None, False, (), []) or callable(default) or not option.show_default:
        return option.help or ""
    return f"{option.help or ''} (default {default})"


class HandedOn(tuple[str, ...]):
    """Options for a program, as they were typed; the program knows which there are."""

    def value(self, name: str) -> str | None:
        """Of -n 5, -n5, -n=5 or --dt=5; "" if nothing follows, None if the option was not given."""
        for k, word in enumerate(self):
            if word == name:
                return self[k + 1] if k + 1 < len(self) else ""
            if name.startswith("--") and word.startswith(f"{name}="):
                return word.removeprefix(f"{name}=")
            if not name.startswith("--") and word.startswith(name):
                return word.removeprefix(name).removeprefix("=")
        return None

    def has(self, *names: str) -> bool:
        return any(self.value(name) is not None for name in names)

    def in_double(self) -> bool:
        return "double" in (self.value("--precision") or "")


def hands_on(function: Function) -> Function:
    """Marks a command that starts a program with the options that it does not know itself: a HandedOn, in its context's
    `obj`. Its arguments come first."""
    vars(function)["hands_on"] = True
    return function


def _as_words(option: Any, value: Any) -> list[str]:
    """The option as it is typed: a list is joined by commas, unless the option takes several words or comes again."""
    name = max(option.opts, key=len)
    if option.is_flag:
        return [name]
    if option.multiple:
        return [word for one in value for word in (name, str(one))]
    if option.nargs != 1:
        return [name, *map(str, value)]
    if isinstance(value, Enum):
        value = value.value
    text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return [f"{name}={text}"] if text.startswith("-") and name.startswith("--") else [name, text]


def forwarded(context: typer.Context, leave_out: Collection[str] = ()) -> list[str]:
    """The options that were given, as words for a program that has them too. `leave_out`: parameters of ./lab's own."""
    words = []
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name))
        value = context.params.get(str(option.name))
        if not _is_option(option) or option.name in leave_out or value in (None, False):
            continue
        if given is not None and given.name == "COMMANDLINE":
            words += _as_words(option, value)
    return words


def _rows(rows: list[tuple[str, str]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2), pad_edge=True)
    table.add_column(no_wrap=True, min_width=22)
    table.add_column()
    for words, what in rows:
        table.add_row(Text(words), Text(what))
    return table


def _fill(text: str) -> str:
    """Prose as wide as the output; examples, which are commands, as they are."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        paragraph
        if paragraph.startswith("./lab")
        else "\n".join(wrapped(" ".join(paragraph.split())))
        for paragraph in paragraphs
    )


class LabCommand(TyperCommand):
    """A command whose help is its docstring, its arguments and its options, as plain text."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Takes out what is handed on, and refuses words that no argument takes."""
        if self._hands_on() and not ctx.resilient_parsing:
            ctx.obj, args = self._split(ctx, args)
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise LabError(
                f"{self.name} takes no '{rest[0]}'; ./lab {self.name} -h shows what it takes"
            )
        return rest

    def _hands_on(self) -> bool:
        return bool(getattr(self.callback, "hands_on", False))

    def _split(self, ctx: Any, args: list[str]) -> tuple[HandedOn, list[str]]:
        """(options for the program, arguments and options of the command). After a name, -h is the program's, too."""
        first = next((k for k, word in enumerate(args) if word.startswith("-")), len(args))
        options: list[Any] = [one for one in self.get_params(ctx) if _is_option(one)]
        known = {name: option for option in options for name in option.opts}
        if first > 0:
            known = {name: known[name] for name in known.keys() - set(ctx.help_option_names)}
        own, handed, rest = args[:first], list[str](), iter(args[first:])
        for word in rest:
            option = known.get(word.partition("=")[0])
            if option is None:
                handed.append(word)
                continue
            own.append(word)
            if not option.is_flag and "=" not in word:
                own += [value for value in [next(rest, None)] if value is not None]
        return HandedOn(handed), own

    def get_help(self, ctx: Any) -> str:
        shown: list[Any] = [p for p in self.get_params(ctx) if not getattr(p, "hidden", False)]
        arguments = [p for p in shown if not _is_option(p)]
        options = [p for p in shown if _is_option(p)]
        words = [*map(_argument_words, arguments), "[options]"]
        explained = [(_argument_words(p), p.help) for p in arguments if p.help]
        options = [p for p in options if p.name != "help"]
        parts = [
            " ".join(["usage:", ctx.command_path, *words]),
            "",
            _fill(inspect.cleandoc(self.help or "")),
            "",
        ]
        parts += [render(_rows(explained)), ""] if explained else []
        rows = [(_option_words(p), _explanation(p)) for p in options]
        parts.append(render(_rows([*rows, ("-h, --help", "show this and stop")])))
        return "\n".join(parts)


def explain(error: typer.TyperException, command: str, example: str) -> str:
    """A mistake on the command line in one line, with the nearest option, or an example."""
    for_example = f"; for example: {example}" if example else f"; ./lab {command} -h shows how"
    if isinstance(error, NoSuchOption):
        context: Any = error.ctx
        known = [name for parameter in context.command.params for name in parameter.opts]
        near = nearest(error.option_name, known) or f"; ./lab {command} -h lists them"
        return f"{command}: there is no option {error.option_name}{near}"
    if isinstance(error, BadOptionUsage):
        return f"{command}: {error.option_name} needs a value after it{for_example}"
    if isinstance(error, MissingParameter):
        return f"{command} needs {_needed(error.param)}{for_example}"
    if isinstance(error, BadParameter) and error.param is not None:
        from pydantic import ValidationError  # no help waits for it

        from nbody_lab.core.model import fault_in

        parameter, fault = error.param, error.__cause__
        what = fault_in(fault) if isinstance(fault, ValidationError) else error.message
        name = parameter.opts[0] if _is_option(parameter) else _argument_words(parameter)
        return f"{command}: {name} {what.rstrip('.')}{for_example}"
    return f"{command}: {error.format_message().rstrip('.')}{for_example}"


def _needed(parameter: Any) -> str:
    if _is_option(parameter):
        return _option_words(parameter)
    words = str(parameter.metavar or parameter.name.upper())
    return {"PART": "a part", "NAME": "a name"}.get(words, words)
