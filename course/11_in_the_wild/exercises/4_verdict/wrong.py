"""Wrong answers to exercise 11.4: why each is rejected, whether it passes the lab's example, its story."""

# %% forgets-the-cancel | visible: no | nobody is ever cancelled
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")
    async def bob(line):
        return await line.ask("bob")
    def never(line, got):
        return got["bob"] != "for bob" or (isinstance(got["ann"], str) and got["ann"] != "for ann")
    return Scenario(connection, {"ann": ann, "bob": bob}, never=never).explore().verdict

# %% accuses-the-cancelled | visible: no | Ann must always get her reply
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")
    async def bob(line):
        return await line.ask("bob")
    def never(line, got):
        return got["bob"] != "for bob" or got["ann"] != "for ann"
    return Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="ann").explore().verdict

# %% forgets-ann | visible: yes | only Bob is asked
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")
    async def bob(line):
        return await line.ask("bob")
    def never(line, got):
        return got["bob"] != "for bob"
    return Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="ann").explore().verdict

# %% deadlock-has-a-name | visible: yes | everything that is not proved is broken
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")
    async def bob(line):
        return await line.ask("bob")
    def never(line, got):
        return got["bob"] != "for bob" or (isinstance(got["ann"], str) and got["ann"] != "for ann")
    found = Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="ann").explore().verdict
    return "proved" if found == "proved" else "broken"

# %% forgets-ann | visible: yes | asks only where Ann was cancelled
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")
    async def bob(line):
        return await line.ask("bob")
    def never(line, got):
        return not isinstance(got["ann"], str) and got["bob"] != "for bob"
    return Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="ann").explore().verdict

# %% not-a-word | visible: no | True and False
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")
    async def bob(line):
        return await line.ask("bob")
    def never(line, got):
        return got["bob"] != "for bob"
    return Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="ann").explore().verdict == "proved"

# %% accuses-the-cancelled | visible: no | whoever is cancelled counts as broken
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")
    async def bob(line):
        return await line.ask("bob")
    def never(line, got):
        return got["bob"] != "for bob" or not isinstance(got["ann"], str)
    return Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="ann").explore().verdict

# %% forgets-the-cancel | visible: no | the wrong one is cancelled, and has no reply to lose
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")
    async def bob(line):
        return await line.ask("bob")
    def never(line, got):
        return isinstance(got["bob"], str) and got["bob"] != "for bob"
    return Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="bob").explore().verdict
