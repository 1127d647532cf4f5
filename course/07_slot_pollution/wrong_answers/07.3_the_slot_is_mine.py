# exercise: 07.3
# reason: misses-stale
# passes the visible example: yes
# story: the owner of a slot may read all that was ever written in it
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
