"""Classifies processor instructions: a loop's instructions by kind, and its floating-point operations."""

import re

from machine_code import computes

# Tried in this order; the first match wins, else "other".
KINDS = (
    ("multiply and add", r"v?fn?m(add|sub)|fn?m(la|ls|add|sub)\b"),
    ("estimate of 1/sqrt", r"v?rsqrt|frsqrt"),
    ("square root", r"v?sqrt|fsqrt"),
    ("divide", r"v?div[sp]|fdiv|v?rcp|frecp"),
    ("multiply", r"v?mul[sp]|fn?mul\b"),
    ("add or subtract", r"v?(add|sub|hadd)[sp]|f(add|sub|addp)\b"),
    ("minimum, maximum, compare", r"v?(min|max)[sp]|v?u?comis|v?cmp\w*[sp][sd]\b|f(min|max|cm)"),
    ("bits of numbers", r"v?(and|andn|or|xor|blend)(v?p|m?p)[sd]\b|v?p(and|or|xor|cmp)|v?pblend|k[a-z]+ |v?ptest|v?pternlog"),
    ("convert", r"v?cvt|f?cvt|[su]cvtf"),
    ("rearrange", r"v?(shuf|unpck|perm|movlh|movhl|insert|extract|broadcast)|v?mov(s[hl]|d)dup|v?p(shuf|unpck|insr|extr|slld|srld)|dup|ext |zip|uzp|tbl"),
    ("jump", r"j[a-z]+|b(\.[a-z]+)? |cbn?z|tbn?z"),
    ("call", r"call|bl "),
    ("integers and addresses", r"(lock )?(add|sub|inc|dec|cmp|test|lea|imul|mul|neg|not|and|or|xor|sh[lrx]|sa[lrx]|cmov|set|cmpxchg|xadd|xchg|bt)[a-z]*\b"),
    ("load, store, move", r"v?mov|ld[rpu]|st[rpu]|ld1|st1|push|pop|fmov|v?maskmov|v?gather"),
)
FLOPS = {"multiply and add": 2}
WITH_FLOPS = ("add or subtract", "multiply", "multiply and add", "divide", "square root", "estimate of 1/sqrt")


def kind_of(text):
    return next((kind for kind, pattern in KINDS if re.match(pattern, text)), "other")


def by_kind(texts):
    """{kind: number of instructions}, in the order of the table."""
    kinds = [kind_of(text) for text in texts]
    return {kind: kinds.count(kind) for kind in [*(kind for kind, _ in KINDS), "other"] if kind in kinds}


def operations(texts):
    """{kind: floating-point results of all its instructions}."""
    found = {}
    for text in texts:
        kind, made = kind_of(text), computes(text)
        if made and kind in WITH_FLOPS:
            found[kind] = found.get(kind, 0) + made[0]
    return found
