# exercise: 07.3
# reason: misses-stale
# passes the visible example: yes
# story: two bits for the epoch
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
