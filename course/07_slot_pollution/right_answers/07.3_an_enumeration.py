# exercise: 07.3
# mechanism: the four words are an enumeration of texts
from enum import StrEnum


class Word(StrEnum):
    EMPTY, STALE, OK, FOREIGN = "empty", "stale", "ok", "foreign"


class Tags:
    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        _, readers = self.tags[slot, place]
        readers.add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return Word.EMPTY
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return Word.STALE
        return Word.OK if reader in readers else Word.FOREIGN
