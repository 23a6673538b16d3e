"""How the lab writes its figures, in pictures and in the tables of documents."""

FLOPS = 20  # per interaction, the convention of the literature: by it different kernels can be compared


def three_digits(value):
    """As many as the spread of a good machine allows."""
    return f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"
