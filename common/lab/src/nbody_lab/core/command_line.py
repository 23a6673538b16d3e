"""How the commands look: their help, and their errors, in one line that says what, where and what to do."""

import inspect
from typing import Any

import typer
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand

from nbody_lab.core.console import render
from nbody_lab.core.messages import UserError
from nbody_lab.core.words import nearest


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


def _rows(rows: list[tuple[str, str]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2), pad_edge=True)
    table.add_column(no_wrap=True, min_width=22)
    table.add_column()
    for words, what in rows:
        table.add_row(Text(words), Text(what))
    return table


class LabCommand(TyperCommand):
    """A command whose help is its docstring, its arguments and its options, as plain text."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuses words that no argument takes, unless the command passes them on."""
        passes_on, ctx.allow_extra_args = ctx.allow_extra_args, True
        rest = super().parse_args(ctx, args)
        if rest and not passes_on and not ctx.resilient_parsing:
            raise UserError(
                f"{ctx.info_name} takes no '{rest[0]}'; ./lab {ctx.info_name} -h shows what it takes"
            )
        return rest

    def get_help(self, ctx: Any) -> str:
        shown = [p for p in self.get_params(ctx) if not getattr(p, "hidden", False)]
        arguments = [p for p in shown if not _is_option(p)]
        options = [p for p in shown if _is_option(p)]
        usage = ["usage:", ctx.command_path, *map(_argument_words, arguments), "[options]"]
        explained = [(_argument_words(p), p.help) for p in arguments if p.help]
        options = [p for p in options if p.name != "help"]
        parts = [" ".join(usage), "", inspect.cleandoc(self.help or ""), ""]
        parts += [render(_rows(explained)), ""] if explained else []
        parts.append(
            render(
                _rows(
                    [(_option_words(p), _explanation(p)) for p in options]
                    + [("-h, --help", "show this and stop")]
                )
            )
        )
        return "\n".join(parts)


def explain(error: typer.TyperException, example: str) -> str:
    """A mistake on the command line in one line, with the nearest option, or an example."""
    context = getattr(error, "ctx", None)
    command = context.info_name if context else ""
    where = f"{command}: " if command and context.parent else ""
    for_example = f"; for example: {example}" if example else f"; ./lab {command} -h shows how"
    option = getattr(error, "option_name", None)
    parameter = getattr(error, "param", None)
    if option and type(error).__name__ == "NoSuchOption":
        known = [name for p in context.command.params for name in p.opts]
        near = nearest(option, known) or f"; ./lab {command} -h lists them"
        return f"{where}there is no option {option}{near}"
    if parameter is not None and type(error).__name__ == "MissingParameter":
        return f"{command} needs {_needed(parameter)}{for_example}"
    if parameter is not None:
        what = error.message.replace("Input should be", "should be")
        name = parameter.opts[0] if _is_option(parameter) else _argument_words(parameter)
        return f"{where}{name} {what[:1].lower()}{what[1:]}{for_example}"
    return f"{where}{error.format_message().rstrip('.')}{for_example}"


def _needed(parameter: Any) -> str:
    words = parameter.metavar or parameter.name.upper()
    if _is_option(parameter):
        return _option_words(parameter)
    return {"PART": "a part", "NAME": "a name"}.get(words, words)
