# exercise: 07.3
# mechanism: no epoch number: whoever takes a slot marks all its tags as old
class Tags:
    def __init__(self):
        self.owner, self.readers = {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        for tagged in self.readers:
            if tagged[0] == slot:
                self.readers[tagged] = None

    def wrote(self, slot, place):
        self.readers[slot, place] = [self.owner[slot]]

    def share(self, slot, place, reader):
        self.readers[slot, place].append(reader)

    def look(self, reader, slot, place):
        found = self.readers.get((slot, place), ())
        if found is None:
            return "stale"
        return "empty" if not found else "ok" if reader in found else "foreign"
