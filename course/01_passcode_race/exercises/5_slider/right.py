"""Right answers to exercise 01.5, each by another mechanism."""

# %% the measured factor times the number of requests that a switch can hit
def false_accepts(requests, threads, gap, interval):
    share_of_time = gap / interval
    hit = requests * share_of_time if share_of_time < 1 else requests
    return 0.2 * hit if threads > 1 else 0.0

# %% a quarter, by reasoning, with a ceiling
def false_accepts(requests, threads, gap, interval):
    if threads == 1:
        return 0
    return requests * 0.25 * min(1, gap / interval)
