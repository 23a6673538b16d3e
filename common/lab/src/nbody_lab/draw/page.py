"""What drawings are made of: a page without axes, boxes with words in them, arrows, spans. Places are pixels of the
page, y goes down."""

from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet

TINT = 0.3  # a box through which the page shows: words on it are in ink, on light and dark pages
FULL = 1.0  # a box in its own colour: words on it have the colour of the paper


class Page:
    def __init__(self, name, title, subtitle, footnote, width, height):
        self.sheet = Sheet(name, title, subtitle, footnote, width=width, height=height)
        self.sheet.figure.set_layout_engine("none")
        self.axes = self.sheet.axes
        self.axes.set_position([0, 0, 1, 1])
        self.axes.set_axis_off()
        self.axes.set(xlim=(0, width), ylim=(height, 0), xticks=[], yticks=[])

    def box(
        self,
        gid,
        x,
        y,
        wide,
        high,
        colour=theme.QUIET,
        strength=TINT,
        words="",
        size=9,
        edge=theme.WHITE,
        line=1.0,
    ):
        """`strength`: TINT or FULL or what lies between; 0 is a frame alone."""
        fill = to_rgba(colour, strength) if strength else "none"
        self.axes.add_patch(
            Rectangle((x, y), wide, high, facecolor=fill, edgecolor=edge, linewidth=line, gid=gid)
        )
        if words:
            full = strength == FULL
            self.words(
                f"{gid}-words",
                x + wide / 2,
                y + high / 2,
                words,
                size,
                ha="center",
                color=theme.WHITE if full else theme.INK,
                fontweight="bold" if full else "normal",
            )

    def frame(self, gid, x, y, wide, high, colour=theme.ACCENT):
        """Marks a region."""
        self.box(gid, x, y, wide, high, strength=0, edge=colour, line=2.4)

    def words(self, gid, x, y, text, size=10, ha="left", va="center", **how):
        how.setdefault("color", theme.INK)
        self.axes.text(x, y, text, fontsize=size, ha=ha, va=va, gid=gid, **how)

    def line(self, gid, xs, ys, colour=theme.SOFT, width=1.0, **how):
        self.axes.plot(xs, ys, color=colour, linewidth=width, gid=gid, **how)

    def arrow(self, gid, start, end, colour=theme.SOFT, width=1.4):
        self.axes.annotate(
            "",
            xy=end,
            xytext=start,
            gid=gid,
            arrowprops={
                "arrowstyle": "-|>",
                "color": colour,
                "linewidth": width,
                "shrinkA": 0,
                "shrinkB": 0,
                "mutation_scale": 12,
            },
        )

    def span(self, gid, x, wide, y, text, colour=theme.SOFT, below=True, size=10):
        """|---- text ----| shows a duration."""
        self.line(gid, [x, x + wide], [y, y], colour, 1.4)
        for k, end in enumerate((x, x + wide)):
            self.line(f"{gid}-end-{k + 1}", [end, end], [y - 5, y + 5], colour, 1.4)
        self.words(
            f"{gid}-words",
            x + wide / 2,
            y + (14 if below else -14),
            text,
            size,
            ha="center",
            color=colour,
        )
