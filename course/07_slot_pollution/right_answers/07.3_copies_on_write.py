# exercise: 07.3
# mechanism: tags as frozen pairs that are replaced
from collections import defaultdict

class Tags:
    def __init__(self):
        self.tenant, self.tag = defaultdict(lambda: (0, None)), {}

    def take(self, slot, owner):
        self.tenant[slot] = (self.tenant[slot][0] + 1, owner)

    def wrote(self, slot, place):
        epoch, owner = self.tenant[slot]
        self.tag[slot, place] = (epoch, frozenset([owner]))

    def share(self, slot, place, reader):
        epoch, readers = self.tag[slot, place]
        self.tag[slot, place] = (epoch, readers | {reader})

    def look(self, reader, slot, place):
        epoch, readers = self.tag.get((slot, place), (0, ()))
        if not epoch:
            return "empty"
        if epoch < self.tenant[slot][0]:
            return "stale"
        return "ok" if reader in readers else "foreign"
