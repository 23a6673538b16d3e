"""Equivalent spellings of an x86 instruction that use the same ports, since a tool may know only one of them. They come in
the order to try, the original first."""

import re

COMPARE = re.compile(r"(vcmp)(?:eq|lt|le|unord|neq|nlt|nle|ord|n?g[te]|true|false)(?:_\w+?)?([sp][sd]) ")
TWO_SOURCES = re.compile(r"(add|sub|mul|div|min|max|and|andn|or|xor|pand|pxor|por|shuf|unpck[hl]|unpck|movlh|movhl|sqrts|hadd|cmp)")


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
