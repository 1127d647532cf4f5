# exercise: 01.2
# reason: wrong-shape
# passes the visible example: yes
# story: stops after the second class
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
}
