# exercise: 02.4
# reason: answer-lost
# passes the visible example: yes
# story: turns every empty answer into None
def request(mine, user, job):
    mine.user = user
    try:
        return job() or None
    finally:
        mine.user = None
