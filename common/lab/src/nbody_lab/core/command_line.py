"""How the commands look: their help, and their errors, in one line that says what, where and what to do."""

from collections.abc import Callable
from typing import Any, TypeVar

import pydantic
import typer
from typer.core import TyperCommand

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import fault_in
from nbody_lab.core.words import nearest

Function = TypeVar("Function", bound=Callable[..., Any])


def _is_option(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "option")


def _words_of(parameter: Any) -> str:
    """As the help shows it: -n N, PART, [NAME] or [NAME...]."""
    metavar = parameter.metavar or parameter.name.upper()
    if _is_option(parameter):
        names = ", ".join(sorted(parameter.opts, key=len))
        return names if parameter.is_flag else f"{names} {metavar}{' x 2' * (parameter.nargs == 2)}"
    words = metavar + "..." * (parameter.nargs == -1)
    return words if parameter.required else f"[{words}]"


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


def hands_on(function: Function) -> Function:
    """Marks a command that starts a program with the options that it does not know itself: a HandedOn, in its context's
    `obj`. Its arguments come first."""
    vars(function)["hands_on"] = True
    return function


def given(context: typer.Context) -> set[str]:
    """The parameters that were typed, by their names in Python."""
    sources = {str(name): context.get_parameter_source(str(name)) for name in context.params}
    return {name for name, source in sources.items() if source and source.name == "COMMANDLINE"}


class LabCommand(TyperCommand):
    """A command whose help is its docstring, its arguments and its options, as plain text."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Takes out what is handed on, and refuses words that no argument takes. The context's `obj` has the words as they
        were typed, or what is handed on of them."""
        ctx.obj = list(args)
        if hasattr(self.callback, "hands_on") and not ctx.resilient_parsing:
            ctx.obj, args = self._split(ctx, args)
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise LabError(
                f"{self.name} takes no '{rest[0]}'; ./lab {self.name} -h shows what it takes"
            )
        return rest

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


def explain(error: typer.TyperException, command: str, example: str) -> str:
    """A mistake on the command line in one line, with the nearest option, or an example of what is missing."""
    kind = type(error).__name__  # of typer's exceptions, not all are public
    parameter: Any = getattr(error, "param", None)
    if kind == "NoSuchOption":
        context, name = vars(error)["ctx"], vars(error)["option_name"]
        known = [one for option in context.command.params for one in option.opts]
        near = nearest(name, known) or f"; ./lab {command} -h lists them"
        return f"{command}: there is no option {name}{near}"
    if kind == "MissingParameter":
        words = {"PART": "a part", "NAME": "a name"}
        needed = _words_of(parameter)
        advice = f"for example: {example}" if example else f"./lab {command} -h shows how"
        return f"{command} needs {words.get(needed, needed)}; {advice}"
    what = error.format_message()
    if parameter:
        fault = error.__cause__
        what = fault_in(fault) if isinstance(fault, pydantic.ValidationError) else error.message
        what = f"{parameter.opts[0] if _is_option(parameter) else _words_of(parameter)} {what}"
    return f"{command}: {what.rstrip('.')}"
