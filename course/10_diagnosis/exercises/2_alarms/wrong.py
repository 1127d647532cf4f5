"""Wrong answers to exercise 10.2: why each is rejected, whether it passes the lab's example, its story."""

# %% misses-lost | visible: yes | reads alone
def alarms(accesses):
    last, found = {}, []
    for who, kind, place in accesses:
        writer = last.get(place, "setup")
        if kind == "read" and writer not in (who, "setup") and who != "setup":
            found.append((who, writer, place))
        if kind == "write":
            last[place] = who
    return found

# %% accuses-the-set-up | visible: yes | the set-up is a writer like any other
def alarms(accesses):
    last, seen, found = {}, {}, []
    for now, (who, kind, place) in enumerate(accesses):
        writer, when = last.get(place, (who, -1))
        before = seen.get((who, place), ("", now))
        lost = before[0] == "read" and when > before[1]
        if writer != who and (kind == "read" or lost):
            found.append((who, writer, place))
        if kind == "write":
            last[place] = (who, now)
        seen[who, place] = (kind, now)
    return found

# %% names-the-first | visible: no | names the first writer of each place
def alarms(accesses):
    last, seen, found, first = {}, {}, [], {}
    for now, (who, kind, place) in enumerate(accesses):
        writer, when = last.get(place, ("setup", -1))
        before = seen.get((who, place), ("", now))
        lost = before[0] == "read" and when > before[1]
        if writer not in (who, "setup") and who != "setup" and (kind == "read" or lost):
            found.append((who, first[place], place))
        if kind == "write":
            first.setdefault(place, who)
            last[place] = (who, now)
        seen[who, place] = (kind, now)
    return found

# %% mixes-places | visible: yes | one last writer for everything
def alarms(accesses):
    last, seen, found = ("setup", -1), {}, []
    for now, (who, kind, place) in enumerate(accesses):
        writer, when = last
        before = seen.get((who, place), ("", now))
        lost = before[0] == "read" and when > before[1]
        if writer not in (who, "setup") and who != "setup" and (kind == "read" or lost):
            found.append((who, writer, place))
        if kind == "write":
            last = (who, now)
        seen[who, place] = (kind, now)
    return found

# %% accuses-a-blind-write | visible: no | every write over another's is one
def alarms(accesses):
    last, found = {}, []
    for who, kind, place in accesses:
        writer = last.get(place, "setup")
        if writer not in (who, "setup") and who != "setup":
            found.append((who, writer, place))
        if kind == "write":
            last[place] = who
    return found

# %% accuses-a-blind-write | visible: yes | whoever has ever read the place
def alarms(accesses):
    last, seen, found = {}, set(), []
    for who, kind, place in accesses:
        writer = last.get(place, "setup")
        foreign = writer not in (who, "setup") and who != "setup"
        if foreign and (kind == "read" or (who, place) in seen):
            found.append((who, writer, place))
        if kind == "write":
            last[place] = who
        else:
            seen.add((who, place))
    return found

# %% only-once | visible: yes | a set of alarms, sorted
def alarms(accesses):
    last, seen, found = {}, {}, []
    for now, (who, kind, place) in enumerate(accesses):
        writer, when = last.get(place, ("setup", -1))
        before = seen.get((who, place), ("", now))
        lost = before[0] == "read" and when > before[1]
        if writer not in (who, "setup") and who != "setup" and (kind == "read" or lost):
            if (who, writer, place) not in found:
                found.append((who, writer, place))
        if kind == "write":
            last[place] = (who, now)
        seen[who, place] = (kind, now)
    return found

# %% mixes-places | visible: yes | looks at three places
def alarms(accesses):
    last, seen, found = ({}, {}, [])
    places = list(dict.fromkeys((p for _, _, p in accesses)))[:3]
    for now, (who, kind, place) in enumerate(accesses):
        if place not in places:
            continue
        writer, when = last.get(place, ('setup', now))
        mine, since = seen.get((who, place), ('write', now))
        if writer not in (who, 'setup') and who != 'setup' and (kind == 'read' or (mine == 'read' and when > since)):
            found.append((who, writer, place))
        if kind == 'write':
            last[place] = (who, now)
        seen[who, place] = (kind, now)
    return found

# %% mixes-names | visible: yes | one text for the name and the place
def alarms(accesses):
    last, seen, found = ({}, {}, [])
    for now, (who, kind, place) in enumerate(accesses):
        writer, when = last.get(place, ('setup', now))
        mine, since = seen.get(who + place, ('write', now))
        if writer not in (who, 'setup') and who != 'setup' and (kind == 'read' or (mine == 'read' and when > since)):
            found.append((who, writer, place))
        if kind == 'write':
            last[place] = (who, now)
        seen[who + place] = (kind, now)
    return found
