# exercise: 07.5
# reason: neighbour-overrated
# passes the visible example: yes
# story: every oracle sees every bug
def who_sees(reads, wrong_alone, error, dtype):
    return {"alone", "neighbour", "owner tag", "poison"}
