"""Of the test sheet beside this file."""

from nbody_lab.tasks.questions import (
    Exact,
    HiddenCounts,
    HypotheticalMachine,
    Questions,
    Text,
)

QUESTIONS = Questions(
    part="part0",
    machine=HypotheticalMachine(lambda draw: {}, "none"),
    hidden_counts=HiddenCounts(until_right=("1",)),
    questions=(
        Text("0", "authors", "authors"),
        Exact("1", "seven", "seven", lambda w: 7, 1e-6),
    ),
)
