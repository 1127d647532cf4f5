# exercise: 01.2
# reason: missed-constant
# passes the visible example: yes
# story: leaves out limit, because nobody writes it
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}
