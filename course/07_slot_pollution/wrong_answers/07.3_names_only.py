# exercise: 07.3
# reason: trusts-the-name
# passes the visible example: yes
# story: whoever has the writer's name may read; stale is what the present owner did not write
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
