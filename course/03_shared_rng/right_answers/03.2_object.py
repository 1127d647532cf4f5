# exercise: 03.2
# mechanism: an object that can be called
class Derive:
    tag = "unit"

    def __call__(self, master, unit):
        return f"{self.tag}/{master}/{unit}"


derive = Derive()
