"""Programs to be explored: this folder counts as a learner's code, the rest of the explorer does not."""
