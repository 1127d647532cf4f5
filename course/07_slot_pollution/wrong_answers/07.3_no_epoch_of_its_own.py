# exercise: 07.3
# reason: accuses-the-innocent
# passes the visible example: no
# story: one epoch for the whole pool: somebody else's arrival makes mine old
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
