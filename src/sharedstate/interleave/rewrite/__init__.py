"""The front end: a learner's function is rewritten so that all that may read or change an object is asked for."""
