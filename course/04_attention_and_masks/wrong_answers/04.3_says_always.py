# exercise: 04.3
# reason: accuses-the-innocent
# passes the visible example: no
# story: everybody is a suspect
def is_wrong(attend):
    return True
