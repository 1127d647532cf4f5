# exercise: 02.4
# reason: runs-again
# passes the visible example: yes
# story: runs the job a second time when it raises
def request(mine, user, job):
    before = mine.user if hasattr(mine, "user") else None
    mine.user = user
    try:
        try:
            return job()
        except Exception:
            return job()
    finally:
        mine.user = before
