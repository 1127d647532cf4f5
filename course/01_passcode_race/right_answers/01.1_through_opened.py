# exercise: 01.1
# mechanism: Alice overwrites the answer that Mallory is about to return
schedule = ["mallory*6", "alice*", "mallory*"]
