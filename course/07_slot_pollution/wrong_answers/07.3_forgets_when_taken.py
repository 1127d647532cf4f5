# exercise: 07.3
# reason: forgets-who-wrote
# passes the visible example: yes
# story: takes the tags off when the slot changes hands
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
