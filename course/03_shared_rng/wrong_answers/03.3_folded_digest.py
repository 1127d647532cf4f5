# exercise: 03.3
# reason: biased
# passes the visible example: yes
# story: bytes of the digest, folded onto 62
def passcode(seed, k):
    return "".join(SYMBOLS[byte % 62] for byte in sha256(f"{seed}:{k}".encode()).digest()[:LENGTH])
