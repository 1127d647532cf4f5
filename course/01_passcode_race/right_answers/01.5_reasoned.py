# exercise: 01.5
# mechanism: a quarter, by reasoning, with a ceiling
def false_accepts(requests, threads, gap, interval):
    if threads == 1:
        return 0
    return requests * 0.25 * min(1, gap / interval)
