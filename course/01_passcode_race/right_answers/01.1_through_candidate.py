# exercise: 01.1
# mechanism: Alice overwrites the candidate that Mallory is about to read
schedule = ["mallory*3", "alice*", "mallory*"]
