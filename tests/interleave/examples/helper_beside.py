"""A file that stands beside the learner's and is imported by it."""

START = 40
