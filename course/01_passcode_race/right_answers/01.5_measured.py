# exercise: 01.5
# mechanism: the measured factor times the number of requests that a switch can hit
def false_accepts(requests, threads, gap, interval):
    share_of_time = gap / interval
    hit = requests * share_of_time if share_of_time < 1 else requests
    return 0.2 * hit if threads > 1 else 0.0
