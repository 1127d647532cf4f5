# exercise: 01.2
# reason: wrong-shape
# passes the visible example: no
# story: names the fields and not what is done to them
accesses = {
    "Turnstile": ["last"],
    "Visits": ["total", "limit"],
    "Badge": ["owner", "issued"],
}
