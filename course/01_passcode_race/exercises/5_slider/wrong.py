"""Wrong answers to exercise 01.5: why each is rejected, whether it passes the lab's example, its story."""

# %% not-a-number | visible: no | answers in words
def false_accepts(requests, threads, gap, interval):
    return "about 100"

# %% off-by-scale | visible: no | counts every interrupted request as a false accept
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * min(1, gap / interval)

# %% alone-cannot-race | visible: yes | the formula as it stands, also for a single thread
def false_accepts(requests, threads, gap, interval):
    return requests * 0.25 * min(1, gap / interval)

# %% more-than-possible | visible: yes | lets the rate fade in smoothly, and gives half of it where gap and interval are equal
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * 0.25 * gap / (gap + interval)

# %% interval-upside-down | visible: yes | puts in 5 ms and leaves the interval slider out
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * 0.25 * min(1, gap / 0.005)

# %% more-than-possible | visible: yes | lets the rate grow beyond all requests
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * 0.25 * gap / interval

# %% threads-are-not-the-knob | visible: yes | needs two pairs of threads before it believes in a race
def false_accepts(requests, threads, gap, interval):
    return requests * 0.25 * min(1, gap / interval) if threads > 2 else 0

# %% threads-are-not-the-knob | visible: yes | believes the popular curve: more threads, more entries
def false_accepts(requests, threads, gap, interval):
    return requests * 0.25 * gap / interval * threads / 8

# %% off-by-scale | visible: no | divides the interval by the gap
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 or gap == 0 else requests * 0.25 * min(1, interval / gap)

# %% gap-not-proportional | visible: yes | copies the number the panel showed, for any gap
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * 0.001
