# exercise: 07.5
# reason: owner-tag-overrated
# passes the visible example: yes
# story: a tag finds whatever is wrong
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen
