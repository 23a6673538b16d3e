"""Grading a class: submissions, isolated measuring, scores by a rubric, pages and tables."""
