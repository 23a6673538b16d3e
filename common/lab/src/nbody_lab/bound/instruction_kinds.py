"""Instructions of a processor as text: a loop's by kind, its floating-point operations, and, since a tool may know only
one of them, the spellings of an x86 instruction that use the same ports, in the order to try, the original first."""

import re

from nbody_lab.bound.machine_code import computes

# Tried in this order; the first match wins, else "other".
KINDS = (
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
FLOPS = {"multiply and add": 2}
WITH_FLOPS = (
    "add or subtract",
    "multiply",
    "multiply and add",
    "divide",
    "square root",
    "estimate of 1/sqrt",
)


def kind_of(text):
    return next((kind for kind, pattern in KINDS if re.match(pattern, text)), "other")


def by_kind(texts):
    """{kind: number of instructions}, in the order of the table."""
    kinds = [kind_of(text) for text in texts]
    return {
        kind: kinds.count(kind) for kind in [*(kind for kind, _ in KINDS), "other"] if kind in kinds
    }


def operations(texts):
    """{kind: floating-point results of all its instructions}."""
    found = {}
    for text in texts:
        kind, made = kind_of(text), computes(text)
        if made and kind in WITH_FLOPS:
            found[kind] = found.get(kind, 0) + made[0]
    return found


COMPARE = re.compile(
    r"(vcmp)(?:eq|lt|le|unord|neq|nlt|nle|ord|n?g[te]|true|false)(?:_\w+?)?([sp][sd]) "
)
TWO_SOURCES = re.compile(
    r"(add|sub|mul|div|min|max|and|andn|or|xor|pand|pxor|por|shuf|unpck[hl]|unpck|movlh|movhl|sqrts|hadd|cmp)"
)


def plain(text):
    """Removes the symbol that objdump adds and any prefix; a jump goes to a label, as in source code."""
    text = re.sub(r" *[<#].*", "", text)
    text = re.sub(r"^(?:bnd|notrack) ", "", text)
    return re.sub(r"^((?:j[a-z]+|b|b\.[a-z]+)) [0-9a-f]+$", r"\1 .L0", text)


def operands_of(text):
    """(name, operands), split at commas outside brackets."""
    name, _, rest = text.partition(" ")
    return name, re.findall(r"(?:\([^)]*\)|\{[^}]*\}|[^,(){}])+", rest)


def as_avx(text):
    """SSE in AVX spelling: SSE overwrites its second operand, AVX names it twice."""
    name, operands = operands_of(text)
    if name.startswith("v") or not operands or not any("%xmm" in one for one in operands):
        return []
    if TWO_SOURCES.match(name):
        return [f"v{name} {','.join([*operands, operands[-1]])}", f"v{name} {','.join(operands)}"]
    return [f"v{name} {','.join(operands)}"]


def as_sse(text):
    """AVX with two operands as SSE; they differ only in the rest of the register."""
    name, operands = operands_of(text)
    return [text[1:]] if name.startswith("v") and len(operands) == 2 and "%xmm" in text else []


def spellings(text):
    """All spellings of an instruction. All conditional jumps take the same ports, and so do all comparisons."""
    text = plain(text)
    by_number = COMPARE.sub(r"\1\2 $0,", text)
    jump = re.sub(r"^j(?!mp)[a-z]+ ", "jne ", text)
    moved = re.sub(r"^cmov[a-z]+ ", "cmovne ", text)
    return list(dict.fromkeys([text, jump, moved, by_number, *as_avx(text), *as_sse(text)]))
