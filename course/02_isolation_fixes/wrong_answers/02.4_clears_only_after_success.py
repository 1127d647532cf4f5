# exercise: 02.4
# reason: left-after-raise
# passes the visible example: yes
# story: clears after the job, unless the job raises
def request(mine, user, job):
    try:
        before = mine.user
    except AttributeError:
        before = None
    mine.user = user
    answer = job()
    mine.user = before
    return answer
