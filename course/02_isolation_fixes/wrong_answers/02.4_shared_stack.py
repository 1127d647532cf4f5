# exercise: 02.4
# reason: threads-mix
# passes the visible example: yes
# story: keeps the old users on one stack for all threads
STACK = []


def request(mine, user, job):
    STACK.append(mine.user if hasattr(mine, "user") else None)
    mine.user = user
    try:
        return job()
    finally:
        mine.user = STACK.pop()
