# exercise: 03.2
# reason: same-xor
# passes the visible example: yes
# story: exclusive-or instead of plus
def derive(master, unit):
    return master ^ unit
