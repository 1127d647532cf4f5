# exercise: 02.4
# reason: left-elsewhere
# passes the visible example: yes
# story: clears the user, and leaves a copy for the log
def request(mine, user, job):
    before = mine.user if hasattr(mine, "user") else None
    mine.user = user
    try:
        return job()
    finally:
        mine.last_user = user
        mine.user = before
