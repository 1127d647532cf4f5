"""The front end: a learner's function is rewritten so that everything which may read or change an object is asked for."""
