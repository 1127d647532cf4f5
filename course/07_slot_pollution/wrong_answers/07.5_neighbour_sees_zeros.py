# exercise: 07.5
# reason: neighbour-overrated
# passes the visible example: yes
# story: the neighbour test sees whatever is foreign
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads != "own rows":
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen
