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

# %% the upper end of the range, exactly
def false_accepts(requests, threads, gap, interval):
    return requests * 0.30 * min(1, gap / interval) if threads > 1 else 0

# %% a number of numpy
import numpy as np


def false_accepts(requests, threads, gap, interval):
    return np.float64(0.2) * requests * np.minimum(1.0, gap / interval) * np.int64(threads > 1)
