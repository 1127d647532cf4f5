# exercise: 02.4
# reason: guest-is-somebody
# passes the visible example: yes
# story: sets the user only when there is one, so a guest inside a request is the outer user
def request(mine, user, job):
    before = getattr(mine, "user", None)
    if user is not None:
        mine.user = user
    try:
        return job()
    finally:
        mine.user = before
