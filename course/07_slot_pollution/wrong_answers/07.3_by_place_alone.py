# exercise: 07.3
# reason: wrong-word
# passes the visible example: no
# story: the tag is keyed by the place, and every slot has a place 0
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
