"""Translates a vectoriser's messages about a loop into one-line explanations."""

import re

IN_ORDER = (
    "the sums may not be reordered: #pragma omp simd reduction(+ : ...) or -fassociative-math"
)
ERRNO = "sqrt (or pow) may set errno, which needs a branch: -fno-math-errno"
APART = "the numbers are not contiguous, as in an array of structures: use one array for each"
NEEDS = "one iteration needs what another wrote: they cannot run at the same time"
EARLY = "the loop may end early, or its length is not known in advance: no break, no return"
MINIMUM = (
    "a minimum, maximum or sum that must keep its order: write a < b ? a : b, "
    "or use -ffinite-math-only -fno-signed-zeros"
)
CALL = "a call in the loop is not inlined, or an address cannot be analysed"
GATHER = (
    "but some loads gather numbers one by one, which is slow: copy what belongs to body i, "
    "and pointers to the arrays, into locals before the loop"
)
PROFIT = "it could be vectorised, but the compiler expects no gain"
JUMPS, PERHAPS_ERRNO = object(), object()  # these depend on the loop's content

# Pattern of a message -> reason; the first match counts.
REASONS = [
    (
        r"control flow in loop|control flow cannot be substituted|library call cannot be vectorized|access type for masked load",
        JUMPS,
    ),
    (r"cannot prove it is safe to reorder|in-order \(fold-left\)", IN_ORDER),
    (r"size of the group of accesses|no array mode", APART),
    (r"possible dependence between|unsafe dependent memory|bad data dependence", NEEDS),
    (r"number of iterations cannot be|could not determine number of loop iterations", EARLY),
    (
        r"unsupported use in stmt|reduction used in loop|could not be identified as reduction",
        MINIMUM,
    ),
    (
        r"loop contains function calls|call instruction cannot be vectorized|cannot identify array bounds",
        CALL,
    ),
    (r"instruction cannot be vectorized", PERHAPS_ERRNO),
    (r"vectorization not profitable|vectorization is not (beneficial|profitable)", PROFIT),
]
FAILED_ONLY = re.compile(r"loop not vectorized( \(Force=true\))?$|interleaving is not beneficial")
BATCHES = r"Batch|xsimd::|_mm[0-9]*_"
GATHERED = re.compile(r"add new stmt: .*gather", re.I)


def each_once(lines):
    return list(dict.fromkeys(lines))


class Said:
    """A compiler's log, searched by lines of a header."""

    def __init__(self, log, name):
        self.log = log
        self.own = re.compile(rf"(?:[^:\n]*/)?{re.escape(name)}:")
        about = re.compile(rf"^(?:[^:\n]*/)?{re.escape(name)}:(\d+)(?::\d*: *|:)(.*)$", re.M)
        self.messages = [
            (int(match[1]), re.sub(r" \[-Rpass[^]]*\]$", "", match[2]))
            for match in about.finditer(log)
        ]

    def about(self, first, last):
        return each_once(text for line, text in self.messages if first <= line <= last)

    def elsewhere(self, function):
        """g++'s messages about the function under names of other files: a loop's place is that of its first statement,
        which may be an operator[] of the library. 'gather' if it makes loads one by one."""
        found = []
        for chapter in re.split(r"^;; Function ", self.log, flags=re.M)[1:]:
            title, _, text = chapter.partition("\n")
            if f"::{function} " not in title:
                continue
            for line in text.split("\n"):
                if "loop vectorized using" in line and not self.own.match(line.lstrip()):
                    found.append(re.sub(r"^[^ ]* *", "", line))
                elif GATHERED.search(line) and not self.own.match(line.lstrip()):
                    found.append("gather")
        return each_once(found)


def in_batches_at_once(messages, size):
    """What the compiler did, if it vectorised the loop; numbers have `size` bytes."""
    text = "\n".join(messages)
    widths = re.findall(r"loop vectorized using (\d+) byte vectors", text)
    if not widths:
        both = re.findall(r"vectorization width: (\d+), interleaved count: (\d+)", text)
        width, turns = max(((int(width), int(turns)) for width, turns in both), default=(0, 0))
        return (
            [f"vectorized: {width} numbers at a time, {turns} batches per iteration"]
            if width
            else []
        )
    lines = [f"vectorized: {max(map(int, widths)) // size} numbers at a time"]
    if "in-order (fold-left)" in text:
        lines.append(f"but lanes are added one by one, which is slow: {IN_ORDER}")
    if "versioned for vectorization because of possible aliasing" in text:
        lines.append("first tests whether the arrays overlap, with a plain loop for that case")
    if "gather" in messages or GATHERED.search(text):
        lines.append(GATHER)
    return lines


class Explainer:
    """Explains the loops of one header compiled with given flags."""

    def __init__(self, header, flags, size):
        self.header, self.size = header, size
        self.errno_is_set = not {"-fno-math-errno", "-ffast-math", "-Ofast"} & set(flags)

    def jumps(self, loop):
        """The reasons for control flow in the loop."""

        def has(pattern):
            return self.header.line_of(pattern, loop)

        found = []
        if self.errno_is_set and has(r"(sqrt|pow|hypot) *[(]"):
            found.append(ERRNO)
        if has(r"(^|[^a-z_])(break|return)[ ;]"):
            found.append(EARLY)
        line = has(r"(^|[^a-z_])if *[(]")
        if line and not has(r"(break|return)[ ;]"):
            found.append(
                f"control flow in the loop, the if in line {line}: use a selection (? :) and -fno-trapping-math"
            )
        line = has(r"[?]")
        if line and not found:
            found.append(
                f"the selection in line {line} computes a value it may not take: use -fno-trapping-math, or another instruction set"
            )
        return found or ["control flow in the loop"]

    def reasons(self, loop, messages):
        """Why the loop was not vectorised; empty if the messages alone explain nothing."""
        found = []
        for message in messages:
            why = next((why for pattern, why in REASONS if re.search(pattern, message)), None)
            if why is JUMPS:
                found += self.jumps(loop)
            elif why is PERHAPS_ERRNO:
                found += (
                    [ERRNO]
                    if self.errno_is_set and self.header.line_of(r"(sqrt|pow) *[(]", loop)
                    else []
                )
            elif why:
                found.append(why)
        return each_once(found)

    def explain(self, loop, said, clang):
        """The explanation of one loop, as lines."""
        # g++ adds loops over the lanes of a reduction and gives them the line of the pragma.
        messages = said.about(loop.pragma if clang else loop.first, loop.last)
        batches = self.header.line_of(BATCHES, loop)
        why = self.reasons(loop, messages)
        if (
            not clang
            and not batches
            and not why
            and not any("loop vectorized" in text for text in messages)
        ):
            messages = said.elsewhere(loop.function) + messages
            why = self.reasons(loop, messages)
        done = in_batches_at_once(messages, self.size)
        if done:
            return done
        if batches:
            return ["already in batches: nothing left for the compiler to vectorize"]
        if why:
            return [f"not vectorized: {line}" for line in why]
        unknown = [
            text
            for text in messages
            if re.match(r"(missed|remark): ", text) and not FAILED_ONLY.search(text)
        ]
        return [f"not vectorized; the compiler: {text}" for text in unknown[:3]] or [
            "the compiler says nothing about it: unrolled, or no longer a loop"
        ]
