"""What to do next, from verdicts, counts and speeds: the first rule that fits, with its command."""

SLOW, NEAR, SCALES, GAIN = 0.5, 0.9, 0.7, 1.2  # of the solution; of the solution; of a thread each; times naive


def of_threads(row, one):
    """The speeds with one thread, or with more."""
    return [speed for speed in row.get("speed") or [] if (speed.get("threads") == 1) == one]


def share(row):
    return max((speed.get("share_of_solution") or 0 for speed in of_threads(row, True)), default=None)


def gain(row):
    return max((speed.get("times_naive") or 0 for speed in of_threads(row, True)), default=None)


def scaling(row):
    """Speed a thread with several threads, as a part of that with one; None where either was not measured."""
    one, more = of_threads(row, True), of_threads(row, False)
    if not one or not more or not one[0].get("interactions_per_s") or not more[-1].get("threads"):
        return None
    return more[-1].get("interactions_per_s", 0) / one[0]["interactions_per_s"] / more[-1]["threads"]


def below(value, limit):
    return value is not None and value < limit


RULES = (
    (lambda row: not row.get("built", True), "It does not compile. Begin with the first error of the log: the others often follow from it.",
     "./lab build {part} {name}"),
    (lambda row: row.get("check", {}).get("verdict") == "failed", "First make it right: only a right result has a speed. Begin with the smallest case above.",
     "./lab check {part} {name}"),
    (lambda row: row.get("untouched"), "It is the file as it was handed out. The first task says where to begin.", "./lab next {part}"),
    (lambda row: any(speed.get("above_bound") for speed in row.get("speed") or []),
     "It is faster than its loop can be on this machine. Be ready to explain how it computes every interaction.", "./lab bound {part} {name}"),
    (lambda row: below(gain(row), GAIN), "It is hardly faster than naive. See whether the compiler vectorises the inner loop, and if not, why.",
     "./lab vec-report {part} {name}"),
    (lambda row: below(share(row), SLOW), "It reaches less than half of the solution's speed. See which operation fills the inner loop.",
     "./lab bound {part} {name}"),
    (lambda row: below(scaling(row), SCALES), "One thread is fast, more threads gain little. See how the loop is divided, and what threads share.",
     "./lab bench {part} {name} --threads 1,2"),
    (lambda row: below(share(row), NEAR), "It comes near the solution. See what a rung of the ladder changes that yours does not.",
     "./lab hint {part} TASK --solved"),
    (lambda row: share(row) is not None, "It is as fast as the solution. See how far it is from what the machine allows.", "./lab roofline {part} {name}"),
)


def next_idea(part, row):
    """{"words", "command"}; None where nothing follows."""
    for fits, words, command in RULES:
        if fits(row):
            return {"words": words, "command": command.format(part=part, name=row["name"] if row["name"].isidentifier() else "mine")}
    return None
