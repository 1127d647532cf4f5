"""Right answers to exercise 12.4, each by another mechanism."""

# %% goes on with whoever can move
def endings(start, ann, bob):
    found = set()

    def go(number, at, read):
        moving = [who for who, plan in enumerate((ann, bob)) if at[who] < 2 * len(plan)]
        if not moving:
            found.add(number)
        for who in moving:
            sign, by = (ann, bob)[who][at[who] // 2]
            then = [place + (k == who) for k, place in enumerate(at)]
            if at[who] % 2 == 0:
                go(number, then, [number if k == who else old for k, old in enumerate(read)])
            else:
                go(read[who] + by if sign == "+" else read[who] * by, then, read)

    go(start, [0, 0], [None, None])
    return sorted(found)

# %% every order of turns, written out
from itertools import combinations

def endings(start, ann, bob):
    found, length = set(), 2 * (len(ann) + len(bob))
    for anns in combinations(range(length), 2 * len(ann)):
        number, halves, read = start, [0, 0], [0, 0]
        for turn in range(length):
            who = 0 if turn in anns else 1
            sign, by = (ann, bob)[who][halves[who] // 2]
            if halves[who] % 2 == 0:
                read[who] = number
            else:
                number = read[who] + by if sign == "+" else read[who] * by
            halves[who] += 1
        found.add(number)
    return sorted(found)

# %% a set of states, until no new one comes
def endings(start, ann, bob):
    plans = (tuple(ann), tuple(bob))
    seen, todo, found = set(), [(start, 0, 0, None, None)], set()
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        number, a, b, ra, rb = state
        if a == 2 * len(plans[0]) and b == 2 * len(plans[1]):
            found.add(number)
        if a < 2 * len(plans[0]):
            sign, by = plans[0][a // 2]
            new = (ra + by if sign == "+" else ra * by) if a % 2 else number
            todo.append((new, a + 1, b, None if a % 2 else number, rb))
        if b < 2 * len(plans[1]):
            sign, by = plans[1][b // 2]
            new = (rb + by if sign == "+" else rb * by) if b % 2 else number
            todo.append((new, a, b + 1, ra, None if b % 2 else number))
    return sorted(found)
