"""Right answers to exercise 11.2, each by another mechanism."""

# %% a queue for each line
from collections import defaultdict, deque

def strangers(log):
    lines, found = defaultdict(deque), []
    for what, who, line in log:
        if what == "write":
            lines[line].append(who)
        elif what == "drop":
            lines[line] = deque()
        elif what == "read":
            owner = lines[line].popleft() if lines[line] else None
            if owner != who:
                found.append((who, owner))
    return found

# %% counters: which write does this read belong to?
def strangers(log):
    writes, taken, found = {}, {}, []
    for what, who, line in log:
        sent = writes.setdefault(line, [])
        if what == "write":
            sent.append(who)
        if what == "drop":
            taken[line] = len(sent)
        if what == "read":
            at = taken.get(line, 0)
            owner = sent[at] if at < len(sent) else None
            taken[line] = min(at + 1, len(sent))
            found += [(who, owner)] * (owner != who)
    return found

# %% one line after the other, sorted at the end
def strangers(log):
    found = []
    for line in {entry[2] for entry in log}:
        replies = []
        for at, (what, who, here) in enumerate(log):
            if here != line:
                continue
            if what == "write":
                replies = [*replies, who]
            elif what == "drop":
                replies = []
            elif what == "read":
                owner, replies = (replies or [None])[0], replies[1:]
                if owner != who:
                    found.append((at, who, owner))
    return [(who, owner) for _, who, owner in sorted(found, key=lambda row: row[0])]
