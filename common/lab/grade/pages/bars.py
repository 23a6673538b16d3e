"""The speed of a row beside others, as bars in a table: small enough for one page per student."""

from markupsafe import Markup

BAR = Markup('<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
             '<rect class="{}" width="{:.2f}" height="10"/></svg>')
KINDS = (("naive", "naive", "naive_interactions_per_s"), ("yours", "mine", "interactions_per_s"), ("solution", "solution", "solution_interactions_per_s"))


def bars(speed):
    """[(label, rate as located, drawing)] of the known speeds; the longest bar has full length."""
    known = [(label, kind, speed[name]) for label, kind, name in KINDS if speed.get(name)]
    most = max((rate for _, _, rate in known), default=1)
    return [(label, rate, BAR.format(kind, 100 * rate / most)) for label, kind, rate in known]
