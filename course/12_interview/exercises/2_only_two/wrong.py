"""Wrong answers to exercise 12.2: why each is rejected, whether it passes the lab's example, its story."""

# %% goal-missed | visible: yes | one after the other
schedule = ["left*", "right*"]

# %% goal-missed | visible: yes | both read first, and 3 are left
schedule = ["left", "right*", "left*"]

# %% unfinished | visible: yes | stops when the 2 could be written
schedule = ["left", "right*4", "left", "right", "left*"]

# %% goal-missed | visible: yes | right writes its 2 too early
schedule = ["left", "right*4", "left", "right", "left", "right", "left*"]

# %% not-minimal | visible: yes | both read the 0 first
schedule = ["right", "left", "right*3", "left", "right", "left*", "right*"]

# %% not-possible | visible: no | right has six steps only
schedule = ["left", "right*7", "left*"]

# %% not-possible | visible: no | a guest who is not there
schedule = ["left", "middle", "left*"]

# %% bad-word | visible: no | numbers instead of names
schedule = [0, 1, 1, 1, 1, 0]
