"""./lab worksheet: a part's questions, stored as data, and the judge of a student's answers."""
