# exercise: 03.6
# reason: looks-in-places
# passes the visible example: yes
# story: compares the first and the last of each unit
def reproduced(run, wanted):
    return set(run) == set(wanted) and all(
        len(run[u]) == len(wanted[u]) and run[u][:1] == wanted[u][:1] and run[u][-1:] == wanted[u][-1:] for u in wanted
    )
