# exercise: 02.4
# mechanism: getattr with a default
def request(mine, user, job):
    before = getattr(mine, "user", None)
    mine.user = user
    try:
        return job()
    finally:
        mine.user = before
