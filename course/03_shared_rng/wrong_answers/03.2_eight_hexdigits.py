# exercise: 03.2
# reason: too-narrow
# passes the visible example: yes
# story: eight hexadecimal digits of a digest
def derive(master, unit):
    return sha256(f"{master}:{unit}".encode()).hexdigest()[:8]
