# exercise: 03.2
# reason: not-reproducible
# passes the visible example: yes
# story: spawn() counts its children
PARENT = np.random.SeedSequence(2026)


def derive(master, unit):
    return PARENT.spawn(1)[0]
