"""Wrong answers to exercise 01.1: why each is rejected, whether it passes the lab's example, its story."""

# %% bad-word | visible: no | writes a sentence instead of words for play
schedule = ["mallory writes", "alice runs", "mallory reads"]

# %% unfinished | visible: yes | stops as soon as Mallory is in, and leaves Alice in the room
schedule = ["mallory*3", "alice*3", "mallory*"]

# %% counts-to-the-end | visible: yes | counts Alice's seven steps, so a line added tomorrow leaves her one short
schedule = ["mallory*3", "alice*7", "mallory*"]

# %% counts-to-the-end | visible: yes | counts Mallory's own last steps, which will be one more tomorrow
schedule = ["mallory*3", "alice*", "mallory*4"]

# %% still-refused | visible: no | takes the two steps of += for one, so Mallory writes after Alice
schedule = ["mallory*2", "alice*", "mallory*"]

# %% still-refused | visible: no | hurts Alice instead: the other invariant
schedule = ["alice*3", "mallory*", "alice*"]

# %% not-minimal | visible: yes | gets her in, but moves both of them twice
schedule = ["mallory*3", "alice*3", "mallory*", "alice*"]
