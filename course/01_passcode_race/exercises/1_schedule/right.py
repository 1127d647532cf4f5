"""Right answers to exercise 01.1, each by another mechanism."""

# %% Alice's visit is given in two words without a switch between them
schedule = ["mallory", "mallory*2", "alice*4", "alice*", "mallory*"]

# %% Alice overwrites the candidate that Mallory is about to read
schedule = ["mallory*3", "alice*", "mallory*"]

# %% Alice overwrites the answer that Mallory is about to return
schedule = ["mallory*6", "alice*", "mallory*"]

# %% a tuple of words, with spaces around the stars
schedule = ("mallory * 3", "alice *", "mallory *")
