# exercise: 05.3
# mechanism: transposes, flattens, and unflattens
def axial(x, attend):
    turned = x.transpose(1, 2)
    x = attend(turned.flatten(0, 1)).unflatten(0, turned.shape[:2]).transpose(1, 2)
    return attend(x.flatten(0, 1)).unflatten(0, x.shape[:2])
