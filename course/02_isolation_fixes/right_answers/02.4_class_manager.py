# exercise: 02.4
# mechanism: a class with enter and exit
class Wearing:
    def __init__(self, mine, user):
        self.mine, self.user = mine, user

    def __enter__(self):
        self.before = getattr(self.mine, "user", None)
        self.mine.user = self.user

    def __exit__(self, *_):
        self.mine.user = self.before
        return False


def request(mine, user, job):
    with Wearing(mine, user):
        return job()
