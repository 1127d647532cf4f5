# exercise: 07.3
# reason: misses-stale
# passes the visible example: yes
# story: asks for the reader first, and only then for the age
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
