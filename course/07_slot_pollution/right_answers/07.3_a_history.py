# exercise: 07.3
# mechanism: keeps all events and reads them backwards
class Tags:
    def __init__(self):
        self.events = []

    def take(self, slot, owner):
        self.events.append(("take", slot, owner))

    def wrote(self, slot, place):
        self.events.append(("wrote", slot, place))

    def share(self, slot, place, reader):
        self.events.append(("share", slot, place, reader))

    def look(self, reader, slot, place):
        old, shared, written = False, False, False
        for what, where, *rest in reversed(self.events):
            if where != slot:
                continue
            if what == "take" and written:
                return "ok" if shared or rest[0] == reader else "foreign"
            old = old or what == "take"
            if what == "share" and rest == [place, reader] and not written:
                shared = True
            if what == "wrote" and rest == [place]:
                if old:
                    return "stale"
                written = True
        return "empty"
