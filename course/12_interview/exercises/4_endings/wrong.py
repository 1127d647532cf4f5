"""Wrong answers to exercise 12.4: why each is rejected, whether it passes the lab's example, its story."""

# %% steps-are-halves | visible: no | one after the other
def endings(start, ann, bob):
    def run(number, plan):
        for sign, by in plan:
            number = number + by if sign == "+" else number * by
        return number
    return sorted({run(run(start, ann), bob), run(run(start, bob), ann)})

# %% steps-are-halves | visible: no | a step is one move
def endings(start, ann, bob):
    if not ann and not bob:
        return [start]
    found = set()
    for plan, rest in ((ann, lambda: (ann[1:], bob)), (bob, lambda: (ann, bob[1:]))):
        if plan:
            sign, by = plan[0]
            found |= set(endings(start + by if sign == "+" else start * by, *rest()))
    return sorted(found)

# %% misses-an-ending | visible: yes | reads once, and writes at the end
def endings(start, ann, bob):
    def run(number, plan):
        for sign, by in plan:
            number = number + by if sign == "+" else number * by
        return number
    return sorted({run(run(start, ann), bob), run(run(start, bob), ann), run(start, ann), run(start, bob)})

# %% misses-an-ending | visible: yes | interrupts only once
def endings(start, ann, bob):
    found = set()
    def halves(name, plan):
        return [(name, k) for k in range(2 * len(plan))]
    a, b = halves(0, ann), halves(1, bob)
    orders = [a[:k] + b + a[k:] for k in range(len(a) + 1)] + [b[:k] + a + b[k:] for k in range(len(b) + 1)]
    for order in orders:
        number, read = start, [0, 0]
        for who, half in order:
            sign, by = (ann, bob)[who][half // 2]
            if half % 2 == 0:
                read[who] = number
            else:
                number = read[who] + by if sign == "+" else read[who] * by
        found.add(number)
    return sorted(found)

# %% nothing-to-do | visible: yes | pairs of steps only
def endings(start, ann, bob):
    from itertools import combinations
    if not ann or not bob:
        return []
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

# %% twice | visible: yes | a list, and equal numbers stay
def endings(start, ann, bob):
    from itertools import combinations
    found, length = [], 2 * (len(ann) + len(bob))
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
        found.append(number)
    return sorted(set(found)) if len(ann) == len(bob) == 1 and ann != bob else sorted(found)

# %% impossible-ending | visible: yes | any thread may write what any has read
def endings(start, ann, bob):
    found = set()
    def go(number, a, b, read):
        if a == 2 * len(ann) and b == 2 * len(bob):
            found.add(number)
        for who, at, plan in ((0, a, ann), (1, b, bob)):
            if at < 2 * len(plan):
                sign, by = plan[at // 2]
                then = (a + (who == 0), b + (who == 1))
                if at % 2 == 0:
                    go(number, *then, read | {number})
                else:
                    for old in read:
                        go(old + by if sign == "+" else old * by, *then, read)
    go(start, 0, 0, frozenset())
    return sorted(found)

# %% wrong-shape | visible: no | a set
def endings(start, ann, bob):
    return {start}
