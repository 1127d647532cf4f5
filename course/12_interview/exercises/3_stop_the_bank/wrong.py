"""Wrong answers to exercise 12.3: why each is rejected, whether it passes the lab's example, its story."""

# %% goal-missed | visible: yes | one payment after the other
standstill = ["red*", "blue*"]

# %% goal-missed | visible: yes | blue first
standstill = ["blue*", "red*"]

# %% unfinished | visible: yes | stops before anybody waits
standstill = ["red", "blue"]

# %% unfinished | visible: yes | stops with a lock for each
standstill = ["red*2", "blue*2"]

# %% not-minimal | visible: yes | back and forth
standstill = ["red", "blue", "red", "blue*", "red*"]

# %% not-possible | visible: no | red holds both, and blue is to go on
standstill = ["red*4", "blue*4"]

# %% bad-word | visible: no | pairs
standstill = [("red", 3), ("blue", 3)]
