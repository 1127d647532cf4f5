# exercise: 07.5
# reason: hears-rounding
# passes the visible example: yes
# story: any difference is a leak
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > 0:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen
