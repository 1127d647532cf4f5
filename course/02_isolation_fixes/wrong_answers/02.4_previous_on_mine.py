# exercise: 02.4
# reason: outer-lost
# passes the visible example: yes
# story: keeps one old user on the thread-local
def request(mine, user, job):
    mine.previous = mine.user if hasattr(mine, "user") else None
    mine.user = user
    try:
        return job()
    finally:
        mine.user = mine.previous
