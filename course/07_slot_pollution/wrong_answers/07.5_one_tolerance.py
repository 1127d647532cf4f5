# exercise: 07.5
# reason: wrong-tolerance
# passes the visible example: yes
# story: 1e-4 whatever the dtype
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > 1e-4:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen
