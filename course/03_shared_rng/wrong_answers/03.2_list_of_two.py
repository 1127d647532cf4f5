# exercise: 03.2
# reason: collision
# passes the visible example: yes
# story: a list is padded with zeros, and a wide master is two words of it
def derive(master, unit):
    return np.random.SeedSequence([master, unit])
