"""Films that ffmpeg writes from pictures, as a whole or not at all."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO

from nbody_lab.core.messages import UserError
from nbody_lab.core.whole_file import why_not_writable

# ffmpeg's options after its input, by the file's ending. A GIF has one palette for the whole film.
_FORMATS = {
    ".mp4": "-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p -movflags +faststart -f mp4",
    ".webm": "-c:v libvpx-vp9 -crf 28 -b:v 0 -cpu-used 4 -row-mt 1 -pix_fmt yuv420p -f webm",
    ".gif": "-filter_complex [0:v]format=rgb24,split[a][b];"
    "[a]palettegen=max_colors=128:stats_mode=diff[p];"
    "[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle -f gif",
}


def require_film(file: Path, width: int, height: int) -> None:
    """Raises UserError, before anything is built or simulated, if the film cannot be written."""
    if file.suffix not in (*_FORMATS, ".html"):
        raise UserError(f"-o needs a name that ends with .mp4, .gif, .webm or .html, not '{file}'")
    if file.suffix in (".mp4", ".webm") and (width % 2 or height % 2):
        raise UserError(f"--size needs even numbers for {file.suffix}, not {width}x{height}")
    if file.suffix != ".html" and not shutil.which("ffmpeg"):
        raise UserError("ffmpeg, which writes films, is missing: run ./lab setup --films")
    if why := why_not_writable(file, makes_folder=False):
        raise UserError(f"{file}: cannot be written ({why}): choose another place")


class FilmFile:
    """Takes pictures as bytes: planes of green, blue and red. What is not finished leaves nothing behind."""

    def __init__(self, file: Path, width: int, height: int, per_second: int) -> None:
        self._file = file
        self._temporary = file.with_name(f".{file.name}.{os.getpid()}")
        self._complaints: IO[bytes] = tempfile.TemporaryFile()
        source = f"-f rawvideo -pix_fmt gbrp -s {width}x{height} -r {per_second} -i -"
        argv = ["ffmpeg", *"-hide_banner -loglevel error -xerror -y".split(), *source.split()]
        argv += [*_FORMATS[file.suffix].split(), *"-fflags +bitexact -flags +bitexact".split()]
        self._ffmpeg = subprocess.Popen(
            [*argv, f"file:{self._temporary}"],
            stdin=subprocess.PIPE,
            stdout=self._complaints,
            stderr=self._complaints,
            start_new_session=True,  # Ctrl-C is ours
        )

    def __enter__(self) -> "FilmFile":
        return self

    def add(self, picture: bytes) -> None:
        assert self._ffmpeg.stdin
        try:
            self._ffmpeg.stdin.write(picture)
        except OSError:
            self._close()
            raise self._failure() from None

    def finish(self) -> None:
        """ffmpeg may exit with success although it could not write."""
        if self._close() != 0 or self._last_complaint():
            raise self._failure()
        os.replace(self._temporary, self._file)

    def _close(self) -> int:
        assert self._ffmpeg.stdin
        with contextlib.suppress(OSError):  # it has ended, and says why
            self._ffmpeg.stdin.close()
        return self._ffmpeg.wait()

    def _last_complaint(self) -> str:
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")

    def _failure(self) -> UserError:
        said = self._last_complaint()
        return UserError(f"{self._file} was not written; ffmpeg said: {said}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._ffmpeg.poll() is None:
            self._ffmpeg.kill()
            self._ffmpeg.wait()
        self._temporary.unlink(missing_ok=True)
        self._complaints.close()
