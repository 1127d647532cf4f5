# exercise: 01.2
# reason: missed-access
# passes the visible example: yes
# story: forgets that return reads the field again
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner"],
}
