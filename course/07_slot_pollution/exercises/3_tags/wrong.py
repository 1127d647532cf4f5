"""Wrong answers to exercise 07.3: why each is rejected, whether it passes the lab's example, its story."""

# %% wrong-word | visible: no | the tag is keyed by the place, and every slot has a place 0
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags.setdefault(place, {})[slot] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[place][slot][1].add(reader)

    def look(self, reader, slot, place):
        if place not in self.tags:
            return "empty"
        epoch, readers = self.tags[place].get(slot, (self.epoch.get(slot), set()))
        if epoch != self.epoch.get(slot):
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% misses-stale | visible: yes | two bits for the epoch
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = (self.epoch.get(slot, 0) + 1) % 4

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        _, readers = self.tags[slot, place]
        readers.add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% misses-foreign | visible: no | only what is stale is wrong
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, _ = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok"

# %% misses-stale | visible: yes | asks for the reader first, and only then for the age
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if reader not in readers:
            return "foreign"
        return "ok" if epoch == self.epoch[slot] else "stale"

# %% forgets-who-wrote | visible: yes | takes the tags off when the slot changes hands
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1
        self.tags = {key: tag for key, tag in self.tags.items() if key[0] != slot}

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% misses-empty | visible: yes | slot and place in one number: slot times hundred plus place
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[100 * slot + place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[100 * slot + place][1].add(reader)

    def look(self, reader, slot, place):
        if 100 * slot + place not in self.tags:
            return "empty"
        epoch, readers = self.tags[100 * slot + place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% trusts-the-name | visible: yes | whoever has the writer's name may read; stale is what the present owner did not write
class Tags:
    def __init__(self):
        self.owner, self.tags = {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner

    def wrote(self, slot, place):
        self.tags[slot, place] = [self.owner[slot], {self.owner[slot]}]

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        writer, readers = self.tags[slot, place]
        if writer != self.owner[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% accuses-the-innocent | visible: no | one epoch for the whole pool: somebody else's arrival makes mine old
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, 0, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch += 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch, {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% shared-notebooks | visible: yes | the dicts stand in the class
class Tags:
    owner, epoch, tags = {}, {}, {}

    def __init__(self, *names):
        self.clear() if not self.__class__.made % 2 else None
        self.__class__.made += 1

    made = 0

    def clear(self):
        self.owner.clear(), self.epoch.clear(), self.tags.clear()

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% two-places-one-key | visible: yes | one key for slot and place: no slot has a thousand places, surely
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[1000 * slot + place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        _, readers = self.tags[1000 * slot + place]
        readers.add(reader)

    def look(self, reader, slot, place):
        if 1000 * slot + place not in self.tags:
            return "empty"
        epoch, readers = self.tags[1000 * slot + place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% sharing-outlives-the-write | visible: yes | the share belongs to the place, not to what lies there
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        before = self.tags.get((slot, place), (0, set()))
        kept = before[1] if before[0] == self.epoch[slot] else set()
        self.tags[slot, place] = (self.epoch[slot], kept | {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% forgets-sharing | visible: yes | shares only with those who have a slot
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        _, readers = self.tags[slot, place]
        if reader in self.owner.values():
            readers.add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% forgets-sharing | visible: yes | whoever gets a share replaces those who had one
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place] = (self.epoch[slot], {reader})

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% sharing-makes-new | visible: yes | who shares an old place dates it anew
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        _, readers = self.tags[slot, place]
        self.tags[slot, place] = (self.epoch[slot], readers | {reader})

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% misses-stale | visible: yes | the owner of a slot may read all that was ever written in it
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if reader == self.owner[slot]:
            return "ok"
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"

# %% no-such-word | visible: no | may it read or not
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        self.tags[slot, place][1].add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return False
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return False
        return reader in readers

# %% forgets-sharing | visible: yes | a taking anywhere ends all sharing
class Tags:
    def __init__(self):
        self.owners, self.times, self.writers, self.shared = {}, {}, {}, {}

    def take(self, slot, owner):
        self.owners[slot], self.times[slot] = owner, self.times.get(slot, 0) + 1
        self.shared = {}

    def wrote(self, slot, place):
        self.writers[slot, place] = self.times[slot], self.owners[slot]
        self.shared.pop((slot, place), None)

    def share(self, slot, place, reader):
        self.shared[slot, place] = self.shared.get((slot, place), set()) | {reader}

    def look(self, reader, slot, place):
        if (slot, place) not in self.writers:
            return "empty"
        time, writer = self.writers[slot, place]
        if time != self.times[slot]:
            return "stale"
        return "ok" if reader == writer or reader in self.shared.get((slot, place), ()) else "foreign"

# %% forgets-sharing | visible: yes | a write anywhere in the slot ends what was shared of it
class Tags:
    def __init__(self):
        self.owners, self.times, self.writers, self.shared = {}, {}, {}, set()

    def take(self, slot, owner):
        self.owners[slot], self.times[slot] = owner, self.times.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.writers[slot, place] = self.times[slot], self.owners[slot]
        self.shared = {one for one in self.shared if one[0] != slot}

    def share(self, slot, place, reader):
        self.shared.add((slot, place, reader))

    def look(self, reader, slot, place):
        if (slot, place) not in self.writers:
            return "empty"
        time, writer = self.writers[slot, place]
        if time != self.times[slot]:
            return "stale"
        return "ok" if reader == writer or (slot, place, reader) in self.shared else "foreign"

# %% forgets-sharing | visible: yes | room for four readers
class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}
    def take(self, slot, owner):
        self.owner[slot] = owner; self.epoch[slot] = self.epoch.get(slot, 0) + 1
    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], [self.owner[slot]])
    def share(self, slot, place, reader):
        r = self.tags[slot, place][1]
        r.append(reader)
        del r[4:]
    def look(self, reader, slot, place):
        if (slot, place) not in self.tags: return "empty"
        e, r = self.tags[slot, place]
        if e != self.epoch[slot]: return "stale"
        return "ok" if reader in r else "foreign"
