"""Right answers to exercise 11.4, each by another mechanism."""

# %% both replies in one question
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")

    async def bob(line):
        return await line.ask("bob")

    def wrong(line, got):
        others = {"for ann", "for bob"}
        return got["bob"] != "for bob" or got["ann"] in others - {"for ann"}

    return Scenario(connection, {"ann": ann, "bob": bob}, never=wrong, cancel="ann").explore("dpor").verdict

# %% two questions, one after the other
def verdict(connection):
    async def ann(line):
        return await line.ask("ann")

    async def bob(line):
        return await line.ask("bob")

    for wrong in (lambda line, got: got["bob"] != "for bob", lambda line, got: got["ann"] == "for bob"):
        found = Scenario(connection, {"ann": ann, "bob": bob}, never=wrong, cancel="ann").explore()
        if found.verdict != "proved":
            return found.verdict
    return "proved"

# %% the tasks compare for themselves
def verdict(connection):
    async def ann(line):
        return (await line.ask("ann")) == "for ann"

    async def bob(line):
        return (await line.ask("bob")) == "for bob"

    def never(line, got):
        return got["bob"] is not True or got["ann"] is False

    return Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="ann").explore(first=True).verdict
