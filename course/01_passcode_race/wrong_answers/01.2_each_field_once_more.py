# exercise: 01.2
# reason: extra-access
# passes the visible example: yes
# story: counts the number that was read as another read of total
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}
