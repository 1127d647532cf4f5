"""Wrong answers to exercise 01.2: why each is rejected, whether it passes the lab's example, its story."""

# %% augmented-is-two | visible: yes | takes += for one access, a write
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["write total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}

# %% missed-class-attribute | visible: yes | thinks that an attribute of the class belongs to nobody
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "write owner", "read owner"],
}

# %% missed-constant | visible: yes | leaves out limit, because nobody writes it
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}

# %% extra-access | visible: yes | counts the number that was read as another read of total
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}

# %% missed-access | visible: yes | forgets that return reads the field again
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner"],
}

# %% wrong-order | visible: yes | reads assignments from left to right
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "write issued", "read issued", "write owner", "read owner"],
}

# %% local-is-not-shared | visible: yes | lists the local variables too
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["write mine", "read total", "write total", "read total", "read limit", "write number"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}

# %% wrong-shape | visible: yes | stops after the second class
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read total", "read limit"],
}

# %% wrong-shape | visible: no | names the fields and not what is done to them
accesses = {
    "Turnstile": ["last"],
    "Visits": ["total", "limit"],
    "Badge": ["owner", "issued"],
}

# %% missed-access | visible: yes | forgets that the line after += reads the field again
accesses = {
    "Turnstile": ["write last", "read last"],
    "Visits": ["read total", "write total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
}
