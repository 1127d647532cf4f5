# exercise: 02.4
# reason: user-changed
# passes the visible example: yes
# story: an empty user name or number 0 becomes None
def request(mine, user, job):
    before = mine.user if hasattr(mine, "user") else None
    mine.user = user or None
    try:
        return job()
    finally:
        mine.user = before
