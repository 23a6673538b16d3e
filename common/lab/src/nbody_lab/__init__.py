"""What people touch of the N-body performance lab: the command ./lab."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
"""The tree that this package works in: its own."""
