# exercise: 01.1
# mechanism: Alice's visit is given in two words without a switch between them
schedule = ["mallory", "mallory*2", "alice*4", "alice*", "mallory*"]
