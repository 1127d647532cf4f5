# exercise: 05.4
# mechanism: keeps the victim and lets each neighbour in turn shine or go dark, victim by victim
def leaks(layer, x):
    def reaches(v, n):
        for light in (1e4, -1e4):
            other = torch.where(torch.arange(len(x))[:, None, None, None] == n, light, x)
            if (layer(other)[v] != layer(x)[v]).any():
                return True
        return False


    return [[v, n] for v in range(len(x)) for n in range(len(x)) if v != n and reaches(v, n)]
