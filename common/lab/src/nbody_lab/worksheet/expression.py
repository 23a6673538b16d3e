"""Expressions in a questions file, such as "1 / (1 - forces_percent / 100)".

They may use numbers, quoted texts, names, + - * / // % **, comparisons, and, or, not, `a if b else c`, and calls of
known functions. A name or a function without a value raises Missing: what is computed from it is missing (NaN), too.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import simpleeval  # type: ignore[import-untyped]
from pydantic import PlainValidator

from nbody_lab.core.errors import LabError

MISSING = math.nan
Functions = Mapping[str, Callable[..., Any]]


class BadExpression(LabError):
    """What is wrong with it, in one line."""


class Missing(ArithmeticError):
    """There is no value."""


@dataclass(frozen=True)
class Expression:
    text: str
    tree: ast.expr
    names: frozenset[str]
    functions: frozenset[str]


def is_missing(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def round_half_away_from_zero(number: float) -> float:
    return math.copysign(math.floor(abs(number) + 0.5), number)


def _power(base: float, exponent: float) -> float:
    """Of real numbers: (1 - 3) ** 0.5 is missing."""
    raised: float | complex = float(base) ** exponent
    if isinstance(raised, complex):
        raise Missing
    return raised


_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_UNCHANGED = (*_COMPARISONS, ast.Add, ast.Sub, ast.Mult, ast.USub, ast.UAdd, ast.Not)
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    **{kind: simpleeval.DEFAULT_OPERATORS[kind] for kind in _UNCHANGED},
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
# Functions for every expression; floor() and the like return whole numbers.
ARITHMETIC: Functions = {
    "min": min,
    "max": max,
    "abs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round_half_away_from_zero,
    "pick": lambda k, *values: values[int(k)],
}
_VALUES = (ast.Constant, ast.Name, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)
_EVALUATED = (*_VALUES, ast.IfExp, ast.Call, ast.keyword)
_ALLOWED = (*_EVALUATED, *_OPERATORS, ast.And, ast.Or, ast.Load)


def _why_not_allowed(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=value) if type(value) not in (int, float, str):
            return "contains something that is neither a number nor text"
        case ast.Call(func=func) if not isinstance(func, ast.Name):
            return "calls something that is not a function"
        case ast.keyword(arg=None):
            return "calls a function with **"
        case ast.Attribute(value=value) if not isinstance(value, ast.Name):
            return "must not contain Attribute"
    return "" if isinstance(node, _ALLOWED) else f"must not contain {type(node).__name__}"


def parse_expression(text: str) -> Expression:
    """Raises BadExpression."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadExpression(f"'{text}' is not an expression") from None
    nodes = list(ast.walk(tree))
    if why_not := next(filter(None, map(_why_not_allowed, nodes)), ""):
        raise BadExpression(f"'{text}' {why_not}")
    functions = [node.func for node in nodes if isinstance(node, ast.Call)]
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    inner = [*functions, *(node.value for node in attributes)]
    names = [node for node in nodes if isinstance(node, ast.Name) and node not in inner]
    return Expression(
        text,
        tree,
        frozenset(ast.unparse(node) for node in (*names, *attributes)),
        frozenset(map(ast.unparse, functions)),
    )


def evaluate(expression: Expression, names: Any, functions: Functions) -> Any:
    """The value; `names[NAME]` gives those of names. An undefined value (1 / 0) is missing; nonsense ('a' + 1) raises
    BadExpression."""
    evaluator = simpleeval.SimpleEval(_OPERATORS, {**ARITHMETIC, **functions}, names)
    evaluator.nodes = {kind: evaluator.nodes[kind] for kind in _EVALUATED}
    try:
        return evaluator.eval(expression.text, expression.tree)
    except (ArithmeticError, ValueError):
        return MISSING
    except (TypeError, IndexError, RecursionError, simpleeval.InvalidExpression) as error:
        raise BadExpression(f"'{expression.text}' cannot be computed: {error}") from None


def _as_field(text: object) -> Expression:
    if not isinstance(text, str):
        raise ValueError("should be an expression in quotes")
    try:
        return parse_expression(text)
    except BadExpression as error:
        raise ValueError(str(error)) from None


Formula = Annotated[Expression, PlainValidator(_as_field)]
"""An expression as a field of a file."""
