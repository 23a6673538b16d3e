"""What shows a simulation: the page that follows a run, and films of it (docs/view.md)."""
