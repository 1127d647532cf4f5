# exercise: 01.2
# reason: augmented-is-two
# passes the visible example: yes
# story: takes += for one access, a write
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["write total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}
