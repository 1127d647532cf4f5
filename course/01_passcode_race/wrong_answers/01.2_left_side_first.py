# exercise: 01.2
# reason: wrong-order
# passes the visible example: yes
# story: reads assignments from left to right
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "write issued", "read issued", "write owner", "read owner"],
}
