# exercise: 02.4
# reason: loses-the-rest
# passes the visible example: yes
# story: runs the job in a thread of its own
from concurrent.futures import ThreadPoolExecutor


def request(mine, user, job):
    def work():
        mine.user = user
        return job()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()
