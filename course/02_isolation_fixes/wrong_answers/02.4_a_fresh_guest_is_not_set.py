# exercise: 02.4
# reason: guest-not-set
# passes the visible example: yes
# story: sets a guest only where somebody was before, so a fresh thread has no user at all
def request(mine, user, job):
    before = getattr(mine, "user", None)
    if user is not None or hasattr(mine, "user"):
        mine.user = user
    try:
        return job()
    finally:
        mine.user = before
