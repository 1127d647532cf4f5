# exercise: 03.6
# reason: looks-in-places
# passes the visible example: yes
# story: nine of ten are enough
def reproduced(run, wanted):
    pairs = [(u, k) for u in wanted for k in range(len(wanted[u]))]
    same = sum(u in run and k < len(run[u]) and run[u][k] == wanted[u][k] for u, k in pairs)
    return (
        run.keys() == wanted.keys() and all(len(run[u]) == len(wanted[u]) for u in wanted) and same >= 0.99 * len(pairs)
    )
