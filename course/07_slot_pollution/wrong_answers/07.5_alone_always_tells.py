# exercise: 07.5
# reason: believes-alone
# passes the visible example: yes
# story: alone is right, whatever happens there
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen
