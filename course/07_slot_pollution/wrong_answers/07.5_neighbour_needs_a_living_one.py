# exercise: 07.5
# reason: neighbour-overlooked
# passes the visible example: no
# story: who is gone is no neighbour
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads == "neighbour":
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen
