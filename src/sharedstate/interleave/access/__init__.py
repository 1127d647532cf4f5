"""What a request means: which objects it touches, and which of a learner's code it runs."""
