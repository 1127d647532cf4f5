"""Wrong answers to exercise 03.2: why each is rejected, whether it passes the lab's example, its story."""

# %% seeds-alike | visible: yes | Cantor's pairing never forgets anything, but random.Random takes two of its numbers for one
def derive(master, unit):
    return (master + unit) * (master + unit + 1) // 2 + unit

# %% too-narrow | visible: yes | a check sum of 32 bits
import zlib


def derive(master, unit):
    return zlib.crc32(f"{master}:{unit}".encode())

# %% not-reproducible | visible: yes | numbers the pairs as they come, in a default argument
def derive(master, unit, seen={}):
    return seen.setdefault((master, unit), len(seen))

# %% same-text | visible: yes | a good digest of a text that lost the border
def derive(master, unit):
    return sha256(f"{master}{unit}".encode()).digest()

# %% too-narrow | visible: yes | eight hexadecimal digits of a digest
def derive(master, unit):
    return sha256(f"{master}:{unit}".encode()).hexdigest()[:8]

# %% collision | visible: yes | a float in between loses digits
def derive(master, unit):
    return f"{float(master)}:{float(unit)}"

# %% hash-changes | visible: yes | hash() of the pair
def derive(master, unit):
    return hash((master, unit))

# %% hash-changes | visible: yes | hash() of a text is another one in every process
def derive(master, unit):
    return hash(f"{master}:{unit}")

# %% same-text | visible: yes | the digits one after the other
def derive(master, unit):
    return f"{master}{unit}"

# %% collision | visible: yes | a list is padded with zeros, and a wide master is two words of it
def derive(master, unit):
    return np.random.SeedSequence([master, unit])

# %% low-bits | visible: yes | only the low 32 bits of the master are kept, as some generators do
def derive(master, unit):
    return f"{master % 2**32}:{unit}"

# %% collision | visible: yes | only 32 bits of the unit
def derive(master, unit):
    return f"{master}:{unit & 0xFFFFFFFF}"

# %% collision | visible: no | minus for odd units, which random ignores
def derive(master, unit):
    n = master << 63 | unit >> 1
    return -n - 1 if unit % 2 else n + 1

# %% not-reproducible | visible: yes | numbers the pairs as they come
SEEN = {}


def derive(master, unit):
    return SEEN.setdefault((master, unit), len(SEEN))

# %% collision | visible: yes | four digits for each
def derive(master, unit):
    return f"{master:04d}{unit:04d}"

# %% collision | visible: yes | room for all units below the master; but random.Random(1 << 32 | 2) is random.Random(2)
def derive(master, unit):
    return master << 32 | unit

# %% seeds-alike | visible: yes | room for every unit below the master; but random.Random(6 << 32 | 7) is random.Random(7)
def derive(master, unit):
    return master << 64 | unit

# %% seeds-alike | visible: yes | the unit above the master, and as far as can be
def derive(master, unit):
    return unit << 128 | master

# %% not-reproducible | visible: yes | spawn() counts its children
PARENT = np.random.SeedSequence(2026)


def derive(master, unit):
    return PARENT.spawn(1)[0]

# %% same-sum | visible: yes | the popular advice: master plus unit
def derive(master, unit):
    return master + unit

# %% collision | visible: yes | a thousand units will do, says the plan
def derive(master, unit):
    return master * 1000 + unit

# %% collision | visible: yes | multiplies as old hash functions do
def derive(master, unit):
    return master * 31 + unit

# %% collision | visible: no | the unit is forgotten
def derive(master, unit):
    return sha256(f"{master}".encode()).digest()

# %% same-xor | visible: yes | exclusive-or instead of plus
def derive(master, unit):
    return master ^ unit

# %% collision | visible: yes | shifts the unit and xors
def derive(master, unit):
    return master ^ (unit << 16)

# %% seeds-alike | visible: yes | a prime between master and unit, larger than any unit
def derive(master, unit):
    return master * (2**64 + 13) + unit

# %% collision | visible: yes | twenty-four letters of the text
def derive(master, unit):
    return f'{master}:{unit}'[:24]
