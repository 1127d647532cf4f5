# exercise: 02.4
# reason: left-behind
# passes the visible example: yes
# story: sets the user and forgets to take it away
def request(mine, user, job):
    mine.user = user
    return job()
