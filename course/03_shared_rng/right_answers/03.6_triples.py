# exercise: 03.6
# mechanism: triples of unit, place, passcode
def reproduced(run, wanted):
    def triples(r):
        return {(u, k, c) for u, codes in r.items() for k, c in enumerate(codes)} | {(u,) for u in r}

    return triples(run) == triples(wanted)
