"""Right answers to exercise 10.2, each by another mechanism."""

# %% the last write, and each one's last access
def alarms(accesses):
    last, seen, found = {}, {}, []
    for now, (who, kind, place) in enumerate(accesses):
        writer, when = last.get(place, ("setup", -1))
        before = seen.get((who, place), ("", now))
        lost = before[0] == "read" and when > before[1]
        if writer not in (who, "setup") and who != "setup" and (kind == "read" or lost):
            found.append((who, writer, place))
        if kind == "write":
            last[place] = (who, now)
        seen[who, place] = (kind, now)
    return found

# %% looks back through the list each time
def alarms(accesses):
    found = []
    for now, (who, kind, place) in enumerate(accesses):
        past = [access for access in accesses[:now] if access[2] == place]
        writes = [access for access in past if access[1] == "write"]
        if who == "setup" or not writes or writes[-1][0] in (who, "setup"):
            continue
        mine = [number for number, access in enumerate(past) if access[0] == who]
        if kind == "write":
            if not mine or past[mine[-1]][1] == "write":
                continue
            if not any(access[1] == "write" for access in past[mine[-1]:]):
                continue
        found.append((who, writes[-1][0], place))
    return found

# %% a set of those whose last read is out of date
def alarms(accesses):
    owner, fresh, stale, found = {}, {}, {}, []
    for who, kind, place in accesses:
        readers, old = fresh.setdefault(place, set()), stale.setdefault(place, set())
        other = owner.get(place, "setup")
        foreign = other != "setup" and who not in (other, "setup")
        if kind == "read":
            if foreign:
                found.append((who, other, place))
            readers.add(who)
            old.discard(who)
        else:
            if foreign and who in old:
                found.append((who, other, place))
            old |= readers - {who}
            readers.clear()
            old.discard(who)
            owner[place] = who
    return found

# %% one small object for each place
class Place:
    def __init__(self):
        self.writer, self.version, self.read_at = "setup", 0, {}

    def foreign(self, who):
        return self.writer not in ("setup", who) and who != "setup"

    def read(self, who):
        self.read_at[who] = self.version
        return self.foreign(who)

    def write(self, who):
        known = self.read_at.pop(who, None)
        wrong = known is not None and known < self.version and self.foreign(who)
        return wrong

    def wrote(self, who):
        self.writer, self.version = who, self.version + 1


def alarms(accesses):
    places, found = {}, []
    for who, kind, name in accesses:
        place = places.setdefault(name, Place())
        if place.read(who) if kind == "read" else place.write(who):
            found.append((who, place.writer, name))
        if kind == "write":
            place.wrote(who)
    return found
