# exercise: 06.3
# mechanism: multiplies the boolean matrix: who knows, one product a layer
def stale(mask, old, layers):
    look = (torch.tensor(mask) | torch.eye(len(mask), dtype=torch.bool)).double()
    knows = (torch.arange(len(mask)) >= old).double()
    found = []
    for _ in range(layers):
        found.append([i for i in range(old) if knows[i] > 0])
        knows = ((look @ knows) > 0).double()
    return found
