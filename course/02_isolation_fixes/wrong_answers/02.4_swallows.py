# exercise: 02.4
# reason: swallowed
# passes the visible example: yes
# story: catches whatever the job raises
def request(mine, user, job):
    mine.user = user
    try:
        return job()
    except Exception:
        return None
    finally:
        mine.user = None
