# exercise: 07.3
# reason: misses-empty
# passes the visible example: yes
# story: slot and place in one number: slot times hundred plus place
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
