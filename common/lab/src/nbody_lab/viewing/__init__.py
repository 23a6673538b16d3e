"""What shows a simulation: the page that follows a run (docs/using_the_lab.md)."""
