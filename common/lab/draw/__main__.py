"""./lab plot: pictures of what was measured or written before. Runs in the virtual environment that has matplotlib."""

import argparse
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
from bench_result import NoResult, read_result  # noqa: E402
from save import CannotSave, save, save_svg  # noqa: E402


def bench(options):
    from bench_pictures import pictures_of
    return save(pictures_of(read_result(options.file)), options.folder)


def copies(options):
    from shares import copies_picture, read_study
    return save([copies_picture(*read_study(options.file))], options.folder)


def handouts(options):
    from handouts import sheets
    return list(save_svg(sheets(), options.folder))


class OneLine(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"plot: {message}; see ./lab plot -h\n")


def parser():
    commands = OneLine(prog="./lab plot", description="Draws SVG and PNG.")
    commands.set_defaults(written="{}.svg and .png")
    kinds = commands.add_subparsers(title="what", metavar="WHAT", required=True)
    one = kinds.add_parser("bench", help="what ./lab bench --json wrote: ladder, sizes, threads, blocks")
    one.add_argument("file", metavar="FILE.json")
    one.add_argument("folder", metavar="FOLDER")
    one.set_defaults(draw=bench)
    shares = kinds.add_parser("copies", help="what ./lab bench part3 --study copies --plot FOLDER kept")
    shares.add_argument("file", metavar="FILE.txt")
    shares.add_argument("folder", metavar="FOLDER")
    shares.set_defaults(draw=copies)
    drawings = kinds.add_parser("handouts", help="the drawings of handouts and solutions; those in FOLDER are replaced")
    drawings.add_argument("folder", metavar="FOLDER")
    drawings.set_defaults(draw=handouts, written="{}")
    return commands


def name_from_here(path):
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def main(words):
    options = parser().parse_args(words)
    try:
        names = options.draw(options)
    except (NoResult, CannotSave) as fault:
        print(f"plot: {fault}", file=sys.stderr)
        return 2
    for name in names:
        print(options.written.format(name_from_here(name)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
