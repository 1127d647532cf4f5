"""Right answers to exercise 10.3, each by another mechanism."""

# %% halves, quarters, …, and again until nothing changes
def shrink(parts, fails):
    parts, size = list(parts), len(parts)
    while size:
        changed, start = False, 0
        while start < len(parts):
            rest = parts[:start] + parts[start + size:]
            if rest and fails(rest):
                parts, changed = rest, True
            else:
                start += size
        size = size if changed and size == 1 else size // 2
    return parts

# %% Zeller's ddmin: complements of n pieces
def shrink(parts, fails):
    parts, n = list(parts), 2
    while len(parts) > 1:
        step = -(-len(parts) // n)
        pieces = [parts[i:i + step] for i in range(0, len(parts), step)]
        for index in range(len(pieces)):
            rest = [part for other, piece in enumerate(pieces) if other != index for part in piece]
            if rest and fails(rest):
                parts, n = rest, max(n - 1, 2)
                break
        else:
            if n >= len(parts):
                break
            n = min(2 * n, len(parts))
    return parts

# %% the shortest prefix that fails, by bisection, again and again
def shrink(parts, fails):
    needed, rest = [], list(parts)
    while not (needed and fails(needed)):
        low, high = 0, len(rest)
        while low < high:
            middle = (low + high) // 2
            if fails(sorted(rest[:middle] + needed)):
                high = middle
            else:
                low = middle + 1
        needed.append(rest[low - 1])
        rest = rest[:low - 1]
    order, left = list(needed), []
    for part in parts:
        if part in order:
            order.remove(part)
            left.append(part)
    at = 0
    while at < len(left):
        fewer = left[:at] + left[at + 1:]
        if fewer and fails(fewer):
            left, at = fewer, 0
        else:
            at += 1
    return left

# %% by recursion: what one half needs, given the other one
def shrink(parts, fails):
    def needed(places, kept):
        if len(places) <= 1:
            return places
        middle = len(places) // 2
        first, second = places[:middle], places[middle:]
        for half in (first, second):
            if asked(half + kept):
                return needed(half, kept)
        one = needed(first, second + kept)
        return one + needed(second, one + kept)

    def asked(places):
        return fails([parts[place] for place in sorted(places)])

    places, before = sorted(needed(list(range(len(parts))), [])), None
    while places != before:
        before = places
        for place in before:
            rest = [other for other in places if other != place]
            if rest and asked(rest):
                places = rest
    return [parts[place] for place in places]
