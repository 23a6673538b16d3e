"""What ./lab worksheet does: a part's questions, which are data, and the judge of a student's answers."""
