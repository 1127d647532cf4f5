"""Wrong answers to exercise 02.4: why each is rejected, whether it passes the lab's example, its story."""

# %% guest-not-set | visible: yes | sets a guest only where somebody was before, so a fresh thread has no user at all
def request(mine, user, job):
    before = getattr(mine, "user", None)
    if user is not None or hasattr(mine, "user"):
        mine.user = user
    try:
        return job()
    finally:
        mine.user = before

# %% outer-lost | visible: yes | clears for good, so an outer request loses its user
def request(mine, user, job):
    mine.user = user
    try:
        return job()
    finally:
        mine.user = None

# %% left-after-raise | visible: yes | clears after the job, unless the job raises
def request(mine, user, job):
    try:
        before = mine.user
    except AttributeError:
        before = None
    mine.user = user
    answer = job()
    mine.user = before
    return answer

# %% left-after-raise | visible: yes | clears up after exceptions, not after a cancellation or an exit
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

# %% guest-is-somebody | visible: yes | sets the user only when there is one, and puts it back
def request(mine, user, job):
    if user is None:
        user = "guest"
    mine.user = user
    try:
        return job()
    finally:
        mine.user = None

# %% loses-the-rest | visible: yes | runs the job in a thread of its own
from concurrent.futures import ThreadPoolExecutor


def request(mine, user, job):
    def work():
        mine.user = user
        return job()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()

# %% left-elsewhere | visible: yes | clears the user, and leaves a copy for the log
def request(mine, user, job):
    before = mine.user if hasattr(mine, "user") else None
    mine.user = user
    try:
        return job()
    finally:
        mine.last_user = user
        mine.user = before

# %% left-behind | visible: yes | sets the user and forgets to take it away
def request(mine, user, job):
    mine.user = user
    return job()

# %% one-by-one | visible: yes | locks all other requests out while a job runs
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

# %% guest-is-somebody | visible: yes | sets the user only when there is one, so a guest inside a request is the outer user
def request(mine, user, job):
    before = getattr(mine, "user", None)
    if user is not None:
        mine.user = user
    try:
        return job()
    finally:
        mine.user = before

# %% answer-lost | visible: yes | turns every empty answer into None
def request(mine, user, job):
    mine.user = user
    try:
        return job() or None
    finally:
        mine.user = None

# %% outer-lost | visible: yes | keeps one old user on the thread-local
def request(mine, user, job):
    mine.previous = mine.user if hasattr(mine, "user") else None
    mine.user = user
    try:
        return job()
    finally:
        mine.user = mine.previous

# %% wrong-user | visible: no | runs the job and drops its answer
def request(mine, user, job):
    mine.user = user
    try:
        job()
    finally:
        mine.user = None

# %% threads-mix | visible: yes | keeps the old users on one stack for all threads
STACK = []


def request(mine, user, job):
    STACK.append(mine.user if hasattr(mine, "user") else None)
    mine.user = user
    try:
        return job()
    finally:
        mine.user = STACK.pop()

# %% swallowed | visible: yes | catches whatever the job raises
def request(mine, user, job):
    mine.user = user
    try:
        return job()
    except Exception:
        return None
    finally:
        mine.user = None

# %% runs-again | visible: yes | runs the job a second time when it raises
def request(mine, user, job):
    before = mine.user if hasattr(mine, "user") else None
    mine.user = user
    try:
        try:
            return job()
        except Exception:
            return job()
    finally:
        mine.user = before

# %% user-changed | visible: yes | an empty user name or number 0 becomes None
def request(mine, user, job):
    before = mine.user if hasattr(mine, "user") else None
    mine.user = user or None
    try:
        return job()
    finally:
        mine.user = before

# %% loses-the-rest | visible: yes | empties the whole thread-local afterwards
def request(mine, user, job):
    before = getattr(mine, "user", None)
    mine.user = user
    try:
        return job()
    finally:
        vars(mine).clear()
        mine.user = before

# %% outer-lost | visible: yes | puts back only a user that counts as true
def request(mine, user, job):
    outer = getattr(mine, "user", None)
    mine.user = user
    try:
        return job()
    finally:
        if outer:
            mine.user = outer
        else:
            del mine.user

# %% outer-lost | visible: yes | outer user `or` None
def request(mine, user, job):
    outer = getattr(mine, "user", None) or None
    mine.user = user
    try:
        return job()
    finally:
        mine.user = outer

# %% keeps-state | visible: yes | a job that was done once is not run again, as long as it lives
DONE = {}


def request(mine, user, job):
    if id(job) in DONE:
        return DONE[id(job)][1]
    before = getattr(mine, "user", DONE)
    mine.user = user
    try:
        answer = job()
    finally:
        if before is DONE:
            del mine.user
        else:
            mine.user = before
    DONE[id(job)] = job, answer
    return answer
