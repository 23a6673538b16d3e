"""./lab export, for the states of an earlier run; ./lab record --save exports those of its own."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab.core.messages import UserError
from nbody_lab.core.words import plural
from nbody_lab.export.body_text import files_of, read_states
from nbody_lab.export.formats import WRITERS, open_writer


def in_words(size_bytes: int) -> str:
    mega = size_bytes >= 1e6
    return f"{size_bytes / (1e6 if mega else 1e3):.1f} {'MB' if mega else 'kB'}"


def demand_folder(file: Path) -> None:
    """Complains before anything is built, run or read."""
    if not file.parent.is_dir():
        raise UserError(
            f"{file}: cannot be written (no folder {file.parent}): create it or choose another place"
        )


def _export_file(text: str) -> Path:
    if Path(text).suffix not in WRITERS:
        raise UserError(f"export writes FILE.xyz (OVITO) or FILE.pvd (ParaView), not '{text}'")
    return Path(text)


def export(
    base: Annotated[
        str, typer.Argument(metavar="BASE", help="what -w BASE of ./lab run was; BASE.0.dat exists")
    ],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="FILE.xyz for OVITO, FILE.pvd for ParaView",
            parser=_export_file,
        ),
    ],
) -> None:
    """convert what run -w BASE wrote for OVITO or ParaView

    FILE.pvd lists the states; each is a FILE.<iteration>.vtp beside it.

    ./lab export out/galaxy galaxy.xyz
    """
    demand_folder(file)
    files = files_of(base)
    bodies = 0
    try:
        with open_writer(file) as writer, closing(read_states(files, "exporting")) as states:
            for iteration, state in states:
                writer.add(iteration, state)
                bodies = state.n
    except OSError as error:
        raise UserError(
            f"{file}: cannot be written ({error.strerror}); the partial file was removed"
        ) from error
    what = f"{plural(len(files), 'state')} of {plural(bodies, 'body', 'bodies')}"
    print(f"{file}: {what}, {in_words(writer.size_bytes())}")
