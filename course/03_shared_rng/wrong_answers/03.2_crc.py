# exercise: 03.2
# reason: too-narrow
# passes the visible example: yes
# story: a check sum of 32 bits
import zlib


def derive(master, unit):
    return zlib.crc32(f"{master}:{unit}".encode())
