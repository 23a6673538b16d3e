"""Grading a class: who handed in what, isolated measuring, scores by a rubric, pages and tables."""
