"""How pictures and the tables of documents write figures."""

FLOPS = 20  # per interaction, by the convention of the literature, so that kernels can be compared


def three_digits(value):
    """Three significant digits: a good machine's noise allows no more."""
    return f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"
