"""Wrong answers to exercise 11.2: why each is rejected, whether it passes the lab's example, its story."""

# %% takes-it-back | visible: no | a cancelled command has no reply
def strangers(log):
    unread, found = {}, []
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read":
            owner = replies.pop(0) if replies else None
            if owner != who:
                found.append((who, owner))
        elif what == "drop":
            replies.clear()
        elif who in replies:
            replies.remove(who)
    return found

# %% reads-the-newest | visible: no | the last reply is the nearest
def strangers(log):
    unread, found = {}, []
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read":
            owner = replies.pop() if replies else None
            if owner != who:
                found.append((who, owner))
        elif what == "drop":
            replies.clear()
    return found

# %% mixes-lines | visible: yes | one queue for all lines
def strangers(log):
    replies, found = [], []
    for what, who, line in log:
        if what == "write":
            replies.append(who)
        elif what == "read":
            owner = replies.pop(0) if replies else None
            if owner != who:
                found.append((who, owner))
        elif what == "drop":
            replies.clear()
    return found

# %% ignores-the-drop | visible: yes | a dropped line keeps its replies
def strangers(log):
    unread, found = {}, []
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read":
            owner = replies.pop(0) if replies else None
            if owner != who:
                found.append((who, owner))
    return found

# %% drops-all | visible: yes | a drop closes the whole pool
def strangers(log):
    unread, found = {}, []
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read":
            owner = replies.pop(0) if replies else None
            if owner != who:
                found.append((who, owner))
        elif what == "drop":
            unread = {}
    return found

# %% no-reply | visible: yes | a read without a reply is left out
def strangers(log):
    unread, found = {}, []
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read" and replies:
            owner = replies.pop(0)
            if owner != who:
                found.append((who, owner))
        elif what == "drop":
            replies.clear()
    return found

# %% stops-early | visible: yes | one victim is enough
def strangers(log):
    unread = {}
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read":
            owner = replies.pop(0) if replies else None
            if owner != who:
                return [(who, owner)]
        elif what == "drop":
            replies.clear()
    return []

# %% false-alarm | visible: yes | every read is noted
def strangers(log):
    unread, found = {}, []
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read":
            found.append((who, replies.pop(0) if replies else None))
        elif what == "drop":
            replies.clear()
    return found

# %% same-memory | visible: yes | one list for all answers
found = []
def strangers(log):
    unread = {}
    found.clear()
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read":
            owner = replies.pop(0) if replies else None
            if owner != who:
                found.append((who, owner))
        elif what == "drop":
            replies.clear()
    return found
