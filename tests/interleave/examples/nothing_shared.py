"""A learner's file: nothing in it is shared."""

from sharedstate.interleave import Scenario


def own_sum(box):
    total = 0
    for number in range(3):
        total += number
    return total


sums = Scenario(setup=list, threads={"ann": own_sum, "ben": own_sum}, never=lambda box, answers: box)
