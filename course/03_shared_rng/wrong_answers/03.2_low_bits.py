# exercise: 03.2
# reason: low-bits
# passes the visible example: yes
# story: only the low 32 bits of the master are kept, as some generators do
def derive(master, unit):
    return f"{master % 2**32}:{unit}"
