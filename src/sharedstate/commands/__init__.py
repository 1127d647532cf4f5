"""The words of the command line, a module each, and what only they need."""
