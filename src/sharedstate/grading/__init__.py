"""Grading a class: each submission in a box of its own, judged where its code never ran."""
