"""The rooms of common/, as docs/design.md shows them: layers from the top, and the purpose of each room."""

LAYERS = (
    (
        "judge, time, show",
        (("check", "is it right?"), ("bench", "how fast is it?"), ("view", "the live view")),
    ),
    (
        "what a part plugs into",
        (
            ("simulator", "contract, main"),
            ("work", "counts flops"),
            ("worksheet", "the answers"),
            ("cuda", "base of part 3"),
            ("cuda_on_cpu", "without a GPU"),
            ("mpi", "base of part 4"),
        ),
    ),
    (
        "what all stand on",
        (
            ("protocol", "how programs talk"),
            ("physics", "the truth, in double"),
            ("machine", "facts, prices, ceilings"),
            ("command_line", "options and tables"),
            ("bodies", "what is simulated"),
        ),
    ),
)


def rooms():
    return [room for _, layer in LAYERS for room, _ in layer]
