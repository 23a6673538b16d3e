"""Instructions of a processor as text: what they compute, their kinds, and their spellings."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

_X86_FLOAT = re.compile(
    r"v?(?:add|sub|mul|div|sqrt|rsqrt(?:14|28)?|rcp(?:14|28)?|min|max|fn?m(?:add|sub|addsub)[0-9]*"
    r"|haddp?|dpp?|getexp|scalef|fixupimm)([sp])([sd])\b"
)
_ARM_FLOAT = re.compile(
    r"f(?:add|sub|mul|div|sqrt|rsqrt[es]|recp[es]|n?m(?:add|sub|la|ls)|min|max|minnm|maxnm|nmul|abd)\b"
)
_ROOT = re.compile(r"v?r?sqrt(?:14|28)?[sp][sd]\b|f(?:sqrt|rsqrte)\b")
_SETS = {16: "sse2", 32: "avx2", 64: "avx512f"}  # register size in bytes


class Arithmetic(NamedTuple):
    """What an instruction computes at once."""

    lanes: int
    bytes_each: int
    instruction_set: str


def parse_arithmetic(text: str) -> Arithmetic | None:
    """None for an instruction that computes with no floating-point numbers."""
    if match := _X86_FLOAT.match(text):
        size = 8 if match[2] == "d" else 4
        if match[1] == "s":
            return Arithmetic(1, size, "scalar")
        width = 64 if "%zmm" in text else 32 if "%ymm" in text else 16
        return Arithmetic(width // size, size, _SETS[width])
    if _ARM_FLOAT.match(text):
        if vector := re.search(r"\bv\d+\.(\d)([sd])\b", text):
            return Arithmetic(int(vector[1]), 8 if vector[2] == "d" else 4, "neon")
        return Arithmetic(1, 8 if " d" in text else 4, "scalar")
    return None


def is_root(text: str) -> bool:
    """Whether it takes square roots, or estimates 1/sqrt."""
    return bool(_ROOT.match(text))


# Tried in this order; the first match wins, else "other".
_KINDS = (
    ("multiply and add", r"v?fn?m(add|sub)|fn?m(la|ls|add|sub)\b"),
    ("estimate of 1/sqrt", r"v?rsqrt|frsqrt"),
    ("square root", r"v?sqrt|fsqrt"),
    ("divide", r"v?div[sp]|fdiv|v?rcp|frecp"),
    ("multiply", r"v?mul[sp]|fn?mul\b"),
    ("add or subtract", r"v?(add|sub|hadd)[sp]|f(add|sub|addp)\b"),
    ("minimum, maximum, compare", r"v?(min|max)[sp]|v?u?comis|v?cmp\w*[sp][sd]\b|f(min|max|cm)"),
    (
        "bits of numbers",
        r"v?(and|andn|or|xor|blend)(v?p|m?p)[sd]\b|v?p(and|or|xor|cmp)|v?pblend|k[a-z]+ |v?ptest|v?pternlog",
    ),
    ("convert", r"v?cvt|f?cvt|[su]cvtf"),
    (
        "rearrange",
        r"v?(shuf|unpck|perm|movlh|movhl|insert|extract|broadcast)|v?mov(s[hl]|d)dup|v?p(shuf|unpck|insr|extr|slld|srld)|dup|ext |zip|uzp|tbl",
    ),
    ("jump", r"j[a-z]+|b(\.[a-z]+)? |cbn?z|tbn?z"),
    ("call", r"call|bl "),
    (
        "integers and addresses",
        r"(lock )?(add|sub|inc|dec|cmp|test|lea|imul|mul|neg|not|and|or|xor|sh[lrx]|sa[lrx]|cmov|set|cmpxchg|xadd|xchg|bt)[a-z]*\b",
    ),
    ("load, store, move", r"v?mov|ld[rpu]|st[rpu]|ld1|st1|push|pop|fmov|v?maskmov|v?gather"),
)
_WITH_RESULTS = (
    "add or subtract",
    "multiply",
    "multiply and add",
    "divide",
    "square root",
    "estimate of 1/sqrt",
)


def kind_of(text: str) -> str:
    return next((kind for kind, pattern in _KINDS if re.match(pattern, text)), "other")


def count_kinds(texts: Iterable[str]) -> dict[str, int]:
    """{kind: number of instructions}, in the order of the table."""
    counts = Counter(map(kind_of, texts))
    return {kind: counts[kind] for kind in [*dict(_KINDS), "other"] if kind in counts}


def count_results(texts: Iterable[str]) -> dict[str, int]:
    """{kind: floating-point results of all its instructions}."""
    results: Counter[str] = Counter()
    for text in texts:
        kind, arithmetic = kind_of(text), parse_arithmetic(text)
        if arithmetic and kind in _WITH_RESULTS:
            results[kind] += arithmetic.lanes
    return dict(results)


def count_issue_slots(texts: Sequence[str]) -> int:
    """Instructions as the front end counts them: a comparison and the jump after it are fused."""
    fused = sum(
        1
        for text, following in pairwise(texts)
        if re.match(r"(cmp|test|add|sub|and|inc|dec)[bwlq]? ", text)
        and kind_of(following) == "jump"
    )
    return len(texts) - fused


# A tool may know only one spelling of an instruction among those that use the same ports.
_COMPARE = re.compile(
    r"(vcmp)(?:eq|lt|le|unord|neq|nlt|nle|ord|n?g[te]|true|false)(?:_\w+?)?([sp][sd]) "
)
_TWO_SOURCES = re.compile(
    r"(add|sub|mul|div|min|max|and|andn|or|xor|pand|pxor|por|shuf|unpck[hl]|unpck|movlh|movhl|sqrts|hadd|cmp)"
)


def plain(text: str) -> str:
    """Without the symbol that objdump adds and any prefix; a jump goes to a label, as in source."""
    text = re.sub(r" *[<#].*", "", text)
    text = re.sub(r"^(?:bnd|notrack) ", "", text)
    return re.sub(r"^((?:j[a-z]+|b|b\.[a-z]+)) [0-9a-f]+$", r"\1 .L0", text)


def split_operands(text: str) -> tuple[str, list[str]]:
    """(name, operands), split at commas outside brackets."""
    name, _, rest = text.partition(" ")
    return name, re.findall(r"(?:\([^)]*\)|\{[^}]*\}|[^,(){}])+", rest)


def _as_avx(text: str) -> list[str]:
    """SSE in AVX spelling: SSE overwrites its second operand, AVX names it twice."""
    name, operands = split_operands(text)
    if name.startswith("v") or not any("%xmm" in operand for operand in operands):
        return []
    same = f"v{name} {','.join(operands)}"
    return [f"{same},{operands[-1]}", same] if _TWO_SOURCES.match(name) else [same]


def _as_sse(text: str) -> list[str]:
    """AVX with two operands as SSE; they differ only in the rest of the register."""
    name, operands = split_operands(text)
    return [text[1:]] if name.startswith("v") and len(operands) == 2 and "%xmm" in text else []


def spellings(text: str) -> list[str]:
    """All spellings, in the order to try, its own first. All conditional jumps take the same ports,
    and so do all comparisons."""
    text = plain(text)
    by_number = _COMPARE.sub(r"\1\2 $0,", text)
    jump = re.sub(r"^j(?!mp)[a-z]+ ", "jne ", text)
    moved = re.sub(r"^cmov[a-z]+ ", "cmovne ", text)
    return list(dict.fromkeys([text, jump, moved, by_number, *_as_avx(text), *_as_sse(text)]))
