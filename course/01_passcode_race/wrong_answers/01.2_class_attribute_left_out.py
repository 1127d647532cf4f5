# exercise: 01.2
# reason: missed-class-attribute
# passes the visible example: yes
# story: thinks that an attribute of the class belongs to nobody
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "write owner", "read owner"],
}
