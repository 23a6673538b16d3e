"""What shows a simulation: the page that follows a run (docs/view.md)."""
