"""Wrong answers to exercise 07.5: why each is rejected, whether it passes the lab's example, its story."""

# %% wrong-shape | visible: no | in the order of the text
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return ["owner tag", *sorted(seen - {"owner tag"})]

# %% neighbour-overrated | visible: yes | every oracle sees every bug
def who_sees(reads, wrong_alone, error, dtype):
    return {"alone", "neighbour", "owner tag", "poison"}

# %% believes-alone | visible: yes | alone is right, whatever happens there
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

# %% neighbour-overlooked | visible: no | who is gone is no neighbour
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

# %% neighbour-overrated | visible: yes | the neighbour test sees whatever is foreign
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

# %% hears-rounding | visible: yes | any difference is a leak
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

# %% wrong-tolerance | visible: yes | 1e-4 whatever the dtype
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

# %% poison-overlooked | visible: yes | what is set to zero is clean
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

# %% poison-overrated | visible: yes | poison is everywhere
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads != "own rows":
        seen.add("poison")
    return seen

# %% owner-tag-overrated | visible: yes | a tag finds whatever is wrong
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

# %% trusts-tokens | visible: no | a large error changes the text
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    if error > 0.1:
        seen.add("tokens")
    return seen

# %% owner-tag-overlooked | visible: yes | zeros belong to nobody, so the tag is quiet
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads in ("neighbour", "freed"):
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen

# %% believes-alone | visible: yes | an error this large is seen, whatever was compared
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if error > 1000 or not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]: seen.add("alone")
    if reads in ("neighbour", "freed"): seen.add("neighbour")
    if reads != "own rows": seen.add("owner tag")
    if reads in ("freed", "zeroed"): seen.add("poison")
    return seen

# %% same-memory | visible: yes | a decorator keeps each set, and hands the same one to everybody who asks again
import functools
@functools.lru_cache
def who_sees(reads, wrong_alone, error, dtype):
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]: seen.add("alone")
    if reads in ("neighbour", "freed"): seen.add("neighbour")
    if reads != "own rows": seen.add("owner tag")
    if reads in ("freed", "zeroed"): seen.add("poison")
    return seen
