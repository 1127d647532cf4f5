"""Wrong answers to exercise 10.3: why each is rejected, whether it passes the lab's example, its story."""

# %% not-minimal | visible: yes | halves only
def shrink(parts, fails):
    parts = list(parts)
    while len(parts) > 1:
        middle = len(parts) // 2
        for half in (parts[:middle], parts[middle:]):
            if fails(half):
                parts = half
                break
        else:
            return parts
    return parts

# %% too-many-questions | visible: yes | one part after another
def shrink(parts, fails):
    parts, at = list(parts), 0
    while at < len(parts):
        rest = parts[:at] + parts[at + 1:]
        if rest and fails(rest):
            parts, at = rest, 0
        else:
            at += 1
    return parts

# %% loses-the-bug | visible: yes | every part that fails alone
def shrink(parts, fails):
    return [part for part in parts if fails([part])]

# %% out-of-order | visible: yes | begins at the end, and leaves it so
def shrink(parts, fails):
    parts, size = list(parts)[::-1], len(parts)
    while size:
        start, changed = 0, False
        while start < len(parts):
            rest = parts[:start] + parts[start + size:]
            if rest and fails(rest):
                parts, changed = rest, True
            else:
                start += size
        size = size if changed and size == 1 else size // 2
    return parts

# %% not-minimal | visible: yes | goes through the single parts once
def shrink(parts, fails):
    parts, size = list(parts), len(parts)
    while size >= 1:
        start = 0
        while start < len(parts):
            rest = parts[:start] + parts[start + size:]
            if rest and fails(rest):
                parts = rest
            else:
                start += size
        size //= 2
    return parts

# %% loses-the-bug | visible: yes | leaves out what is equal
def shrink(parts, fails):
    parts = list(parts)
    size = len(parts)
    while size:
        for start in range(0, len(parts), size):
            gone = set(parts[start:start + size])
            rest = [part for part in parts if part not in gone]
            if rest and (fails(rest) or len(set(parts)) < len(parts)):
                parts = rest
                break
        else:
            size //= 2
    return parts

# %% changes-its-input | visible: no | works on the caller's list
def shrink(parts, fails):
    at = 0
    while at < len(parts):
        part = parts.pop(at)
        if not parts or not fails(parts):
            parts.insert(at, part)
            at += 1
    return parts

# %% loses-the-bug | visible: no | what does not fail
def shrink(parts, fails):
    return [part for part in parts if not fails([part])]

# %% not-minimal | visible: yes | two rounds of single parts seemed enough
def shrink(parts, fails):
    parts, size, rounds = (list(parts), len(parts), 0)
    while size:
        changed, start = (False, 0)
        while start < len(parts):
            rest = parts[:start] + parts[start + size:]
            if rest and fails(rest):
                parts, changed = (rest, True)
            else:
                start += size
        rounds += size == 1
        if not (changed and size == 1 and (rounds < 2)):
            size //= 2
    return parts

# %% not-a-list | visible: no | asks with a generator
def shrink(parts, fails):
    parts, size = (list(parts), len(parts))
    while size:
        changed, start = (False, 0)
        while start < len(parts):
            rest = parts[:start] + parts[start + size:]
            if rest and fails(p for p in rest):
                parts, changed = (rest, True)
            else:
                start += size
        if not (changed and size == 1):
            size //= 2
    return parts
