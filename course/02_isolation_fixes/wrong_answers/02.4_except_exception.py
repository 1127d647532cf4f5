# exercise: 02.4
# reason: left-after-raise
# passes the visible example: yes
# story: clears up after exceptions, not after a cancellation or an exit
def request(mine, user, job):
    before = mine.user if hasattr(mine, "user") else None
    mine.user = user
    try:
        answer = job()
    except Exception:
        mine.user = before
        raise
    mine.user = before
    return answer
