"""The tests of the lab's Python."""
