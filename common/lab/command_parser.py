"""Parses a command's options: an error is one line with an example, and the help fits the screen."""

import argparse

from messages import stop
from screen import SCREEN


class Parser(argparse.ArgumentParser):
    def __init__(self, example, **words):
        super().__init__(allow_abbrev=False, formatter_class=lambda prog: argparse.HelpFormatter(prog, width=SCREEN), **words)
        self.example = example

    def error(self, message):
        stop(f"{self.prog.split()[-1]}: {message}; for example: {self.example}")
