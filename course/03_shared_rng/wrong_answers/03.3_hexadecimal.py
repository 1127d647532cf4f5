# exercise: 03.3
# reason: biased
# passes the visible example: yes
# story: sixteen hexadecimal digits of the digest
def passcode(seed, k):
    return sha256(f"{seed}:{k}".encode()).hexdigest()[:LENGTH]
