# exercise: 02.4
# mechanism: a stack in the thread-local
def request(mine, user, job):
    if not hasattr(mine, "stack"):
        mine.stack = []
    mine.stack.append(getattr(mine, "user", None))
    mine.user = user
    try:
        return job()
    finally:
        mine.user = mine.stack.pop()
