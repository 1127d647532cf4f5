# exercise: 02.4
# reason: guest-is-somebody
# passes the visible example: yes
# story: sets the user only when there is one, and puts it back
def request(mine, user, job):
    if user is None:
        user = "guest"
    mine.user = user
    try:
        return job()
    finally:
        mine.user = None
