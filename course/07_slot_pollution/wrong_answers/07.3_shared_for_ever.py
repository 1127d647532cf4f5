# exercise: 07.3
# reason: sharing-outlives-the-write
# passes the visible example: yes
# story: the share belongs to the place, not to what lies there
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
