# exercise: 07.5
# reason: poison-overlooked
# passes the visible example: yes
# story: what is set to zero is clean
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads == "freed":
        seen.add("poison")
    return seen
