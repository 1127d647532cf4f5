# exercise: 01.2
# reason: local-is-not-shared
# passes the visible example: yes
# story: lists the local variables too
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["write mine", "read total", "write total", "read total", "read limit", "write number"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}
