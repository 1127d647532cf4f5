# exercise: 02.4
# mechanism: try and finally, the old value put back
def request(mine, user, job):
    try:
        before = mine.user
    except AttributeError:
        before = None
    mine.user = user
    try:
        return job()
    finally:
        mine.user = before
