# exercise: 01.2
# mechanism: the lists written by hand
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}
