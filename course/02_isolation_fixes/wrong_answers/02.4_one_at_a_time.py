# exercise: 02.4
# reason: one-by-one
# passes the visible example: yes
# story: locks all other requests out while a job runs
import threading

DOOR = threading.RLock()

def request(mine, user, job):
    with DOOR:
        before = mine.user if hasattr(mine, "user") else None
        mine.user = user
        try:
            return job()
        finally:
            mine.user = before
