"""./lab plot draws pictures from earlier results and body files."""

import argparse
import sys
from pathlib import Path

from nbody_lab import ROOT as LAB
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load
from nbody_lab.draw.bench_result import NoResult, read_result
from nbody_lab.draw.save import save, save_again
from nbody_lab.export.body_text import BadFile, found_files

WRITTEN_BY = "BASE: as given to ./lab run PART NAME ... -w BASE --every 10. The picture goes beside its files."


class OneLine(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"plot: {message}; see {self.prog} -h\n")


def head_of(file):
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            return stream.read(200)
    except OSError:
        return ""


def bench(options):
    from nbody_lab.core.study_results import EnergyStudy
    from nbody_lab.draw.bench_pictures import pictures_of
    from nbody_lab.draw.energy_study import pictures_of_energies

    if '"what": "energy study"' in head_of(options.file):
        study = load(EnergyStudy, Path(options.file))
        return save(pictures_of_energies(study), options.folder)
    return save(pictures_of(read_result(options.file)), options.folder)


def roofline(options):
    from nbody_lab.core.results import read_roofline
    from nbody_lab.draw.roofline import roofline as draw

    sheet = draw(read_roofline(options.file))
    sheet.name = Path(options.file).stem
    return [save_again(sheet, options.folder)] if options.again else save([sheet], options.folder)


def copies(options):
    from nbody_lab.draw.shares import copies_picture, read_study

    return save([copies_picture(*read_study(options.file))], options.folder)


def orbits(options):
    from nbody_lab.draw.orbits import pictures_of_orbits
    from nbody_lab.draw.runs import Run

    if options.base.endswith(".csv"):
        raise BadFile(f"{options.base}: orbits needs a BASE of -w; a log has no positions")
    run = Run(options.base)
    return save(pictures_of_orbits(run, options.around), run.base.parent)


def energy(options):
    if options.base.endswith(".csv"):
        from nbody_lab.draw.energy import energy_of_log

        return save([energy_of_log(Path(options.base))], Path(options.base).parent)
    from nbody_lab.draw.energy import energy_of_run
    from nbody_lab.draw.runs import Run

    if Path(options.base).is_file() and not found_files(options.base):
        raise BadFile(f"{options.base}: is not a BASE of -w; a log of --log must end with .csv")
    run = Run(options.base)
    return save([energy_of_run(run)], run.base.parent)


def simulated(options):
    from nbody_lab.core.study_results import Simulated
    from nbody_lab.draw.simulated import pictures_of_simulated

    result = load(Simulated, Path(options.file))
    return [save_again(sheet, Path(options.folder)) for sheet in pictures_of_simulated(result)]


def folder_of_part(word):
    """The folder of a part: `part1` or `part1_standard_opti`, from any working directory."""
    if word and Path(word).is_dir():
        return Path(word)
    found = sorted(LAB.glob(f"{word}_*/CMakeLists.txt")) if word else []
    if not found:
        raise NoResult(
            f"there is no part or folder '{word}'; for example: ./lab plot notebook part1"
        )
    return found[0].parent


def own_rows(options):
    from nbody_lab.draw.ladder import drawable, own_ladder
    from nbody_lab.notebook import notebook

    folder = folder_of_part(options.folder)
    part = folder.resolve().name.split("_")[0]
    rows = notebook.rows(folder)
    if options.if_any and not drawable(rows):
        return []
    return [save_again(own_ladder(part, rows), folder / "notebook")]


def named(word):
    if not word:
        raise argparse.ArgumentTypeError("it is empty")
    return word


def parser():
    commands = OneLine(prog="./lab plot", description="Draws SVG and PNG.")
    commands.set_defaults(written="{}.svg and .png")
    kinds = commands.add_subparsers(title="what", metavar="WHAT", required=True)

    def add(name, draw, words, example, about=""):
        one = kinds.add_parser(
            name,
            help=words,
            description=f"Draws {words}. {about}".strip(),
            epilog=f"example: ./lab plot {example}",
        )
        one.set_defaults(draw=draw)
        return one

    one = add(
        "bench",
        bench,
        "what ./lab bench --json wrote: ladder, sizes, threads, blocks",
        "bench data/results/part1_sizes.json build/pictures",
    )
    one.add_argument("file", metavar="FILE.json")
    one.add_argument("folder", metavar="FOLDER", type=named)
    one = add(
        "roofline",
        roofline,
        "what ./lab roofline wrote: ceilings, points and limits",
        "roofline build/roofline/part1.json build/pictures",
    )
    one.add_argument("file", metavar="FILE.json")
    one.add_argument("folder", metavar="FOLDER", type=named)
    one.add_argument("--again", action="store_true", help="replace the previous picture")
    one = add(
        "copies",
        copies,
        "what ./lab bench part3 --study copies --plot FOLDER kept",
        "copies build/copies/copies.txt build/pictures",
    )
    one.add_argument("file", metavar="FILE.txt")
    one.add_argument("folder", metavar="FOLDER", type=named)
    one = add(
        "notebook",
        own_rows,
        "your own rows: what each ./lab try gained and what you predicted",
        "notebook part1",
    )
    one.add_argument("folder", metavar="PART")
    one.add_argument(
        "--if-any", action="store_true", help="print nothing if no row has a speed yet"
    )
    one = add(
        "orbits",
        orbits,
        "paths of the bodies that ./lab run -w BASE wrote, also in 3D unless they lie in a plane; beyond 40 bodies, only start and end",
        "orbits data/out/moon --around Earth",
        WRITTEN_BY,
    )
    one.add_argument("base", metavar="BASE")
    one.add_argument(
        "--around", metavar="BODY", help="name or number (from 1) of the body kept at the centre"
    )
    one = add(
        "energy",
        energy,
        "how energy and momenta change in what ./lab run -w BASE or --log FILE.csv wrote",
        "energy data/out/moon",
        WRITTEN_BY,
    )
    one.add_argument("base", metavar="BASE|FILE.csv")
    one = add(
        "simulated",
        simulated,
        "what ./lab simulate wrote: speed against ranks, and what each rank does",
        "simulated build/simulated/ring_gbe.json build/pictures",
    )
    one.add_argument("file", metavar="FILE.json")
    one.add_argument("folder", metavar="FOLDER", type=named)
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
    except UserError as fault:
        print(f"plot: {fault}", file=sys.stderr)
        return 2
    for name in names:
        print(options.written.format(name_from_here(name)))
    return 0
