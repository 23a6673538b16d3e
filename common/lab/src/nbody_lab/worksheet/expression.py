"""Expressions in a questions file, such as "1 / (1 - forces_percent / 100)", evaluated without eval().

They may use numbers, quoted texts, names, + - * / // % **, comparisons, and, or, not, `a if b else c`, and calls of
known functions. NaN stands for a missing value: anything computed from it is missing, too.
"""

import ast
import math
import operator
from collections import namedtuple

from nbody_lab.notebook.file import InputError

MISSING = math.nan

COMPARE = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos}
ALLOWED = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.BoolOp,
    ast.IfExp,
    ast.Call,
)


class BadExpression(InputError):
    """What is wrong with it, in one line."""


def is_missing(value):
    return isinstance(value, float) and math.isnan(value)


def half_away_from_zero(number):
    return math.copysign(math.floor(abs(number) + 0.5), number)


def of_known(function):
    """The function, with a missing result for a missing argument."""
    return lambda *numbers: MISSING if any(map(is_missing, numbers)) else function(*numbers)


def power(base, exponent):
    """The power; missing if it is not a real number: (1 - 3) ** 0.5."""
    raised = float(base) ** exponent
    return MISSING if isinstance(raised, complex) else raised


# A power of a missing value may be 1: nan ** 0.
BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: of_known(power),
}
# Functions for every expression; floor() and the like return whole numbers.
ARITHMETIC = {
    "min": of_known(min),
    "max": of_known(max),
    "abs": of_known(abs),
    "floor": of_known(math.floor),
    "ceil": of_known(math.ceil),
    "round": of_known(half_away_from_zero),
    "pick": lambda k, *values: values[int(k)],
}

# A text, its tree, and the names and functions it uses.
Expression = namedtuple("Expression", "text tree names functions")


def dotted(node):
    """`paper.peak` as one name; None for any other attribute."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def refuse_unless_allowed(node, text):
    if not isinstance(node, ALLOWED) or (isinstance(node, ast.Attribute) and dotted(node) is None):
        raise BadExpression(f"'{text}': an expression must not contain {type(node).__name__}")
    operators = [getattr(node, "op", None), *getattr(node, "ops", ())]
    known = (*BINARY, *COMPARE, *UNARY, ast.And, ast.Or, ast.Not)
    if any(one is not None and not isinstance(one, known) for one in operators):
        raise BadExpression(f"'{text}' has an operator that is not known")
    if isinstance(node, ast.Constant) and type(node.value) not in (int, float, str):
        raise BadExpression(f"'{text}' contains something that is neither a number nor text")
    if isinstance(node, ast.Call) and (
        not isinstance(node.func, ast.Name) or any(one.arg is None for one in node.keywords)
    ):
        raise BadExpression(f"'{text}' calls something that is not a function")


def parts_of(node):
    """The nodes inside, without operators."""
    if isinstance(node, ast.Attribute):
        return []
    if isinstance(node, ast.Call):
        return [*node.args, *(keyword.value for keyword in node.keywords)]
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def parsed(text):
    """Raises BadExpression."""
    try:
        tree = ast.parse(str(text).strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadExpression(f"'{text}' is not an expression") from None
    names, functions, left = set(), set(), [tree]
    while left:
        node = left.pop()
        refuse_unless_allowed(node, text)
        if isinstance(node, (ast.Name, ast.Attribute)):
            names.add(dotted(node))
        if isinstance(node, ast.Call):
            functions.add(node.func.id)
        left += parts_of(node)
    return Expression(str(text), tree, names, functions)


def compared(node, value_of):
    values = [value_of(one) for one in (node.left, *node.comparators)]
    if any(map(is_missing, values)):
        return MISSING
    return all(COMPARE[type(how)](a, b) for how, a, b in zip(node.ops, values, values[1:]))


def combined(node, value_of):
    values = [value_of(one) for one in node.values]
    if any(map(is_missing, values)):
        return MISSING
    return all(values) if isinstance(node.op, ast.And) else any(values)


def value(expression, names, functions):
    """The value. `names[NAME]` returns a name's value; `functions` extends ARITHMETIC. An undefined value (1 / 0) is
    missing; nonsense ('a' + 1) raises BadExpression."""

    def value_of(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.Name, ast.Attribute)):
            return names[dotted(node)]
        if isinstance(node, ast.BinOp):
            return BINARY[type(node.op)](value_of(node.left), value_of(node.right))
        if isinstance(node, ast.Compare):
            return compared(node, value_of)
        if isinstance(node, ast.BoolOp):
            return combined(node, value_of)
        if isinstance(node, ast.IfExp):
            test = value_of(node.test)
            return MISSING if is_missing(test) else value_of(node.body if test else node.orelse)
        if isinstance(node, ast.UnaryOp):
            operand = value_of(node.operand)
            if isinstance(node.op, ast.Not):
                return MISSING if is_missing(operand) else not operand
            return UNARY[type(node.op)](operand)
        function = functions.get(node.func.id) or ARITHMETIC[node.func.id]
        return function(
            *map(value_of, node.args), **{one.arg: value_of(one.value) for one in node.keywords}
        )

    try:
        return value_of(expression.tree)
    except (ArithmeticError, ValueError):
        return MISSING
    except (TypeError, IndexError) as fault:
        raise BadExpression(f"'{expression.text}' cannot be computed: {fault}") from None
