"""Right answers to exercise 10.1, each by another mechanism."""

# %% measured first
def triage(answers, single, double):
    if single is not None and double is not None and 0 < single <= 1e-4 and double <= 1e-9:
        return "rounding"
    if (answers[1] and answers[3]) or sum(answers) > 2:
        return "shared state"
    return "something else"

# %% a table of the sixteen answers
def triage(answers, single, double):
    suspects = {(a, b, c, d) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1) if a + b + c + d >= 3}
    suspects.add((0, 1, 0, 1))
    if None not in (single, double):
        if single and single <= 0.0001 and double <= 0.000000001:
            return "rounding"
    return "shared state" if tuple(map(int, answers)) in suspects else "something else"

# %% weights: the second and the fourth question count more
def triage(answers, single, double):
    company, content, load, alone = answers
    weight = 2 * company + 3 * content + 2 * load + 3 * alone
    measured = single is not None and double is not None
    if measured and single != 0 and not single > 1e-4 and not double > 1e-9:
        return "rounding"
    return ["something else", "shared state"][weight >= 7 or (content and alone)]

# %% counts the noes
def triage(answers, single, double):
    noes = [number for number, yes in enumerate(answers, 1) if not yes]
    try:
        fallen = 0 < single <= 1e-4 and double <= 1e-9
    except TypeError:
        fallen = False
    if fallen:
        return "rounding"
    return "shared state" if len(noes) < 2 or noes == [1, 3] else "something else"
