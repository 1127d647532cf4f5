# exercise: 02.4
# reason: loses-the-rest
# passes the visible example: yes
# story: empties the whole thread-local afterwards
def request(mine, user, job):
    before = getattr(mine, "user", None)
    mine.user = user
    try:
        return job()
    finally:
        vars(mine).clear()
        mine.user = before
