"""Right answers to exercise 12.2, each by another mechanism."""

# %% left wipes out two, right wipes out the rest
schedule = ["left", "right*4", "left", "right", "left*", "right*"]

# %% the mirror image, with every step counted
schedule = ["right", "left*4", "right*2", "left", "right*3", "left"]

# %% the explorer's own
from sharedstate.game import level

schedule = level("only-two").solution()
