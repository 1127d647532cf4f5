# exercise: 05.4
# reason: too-few-changes
# passes the visible example: yes
# story: asks the Jacobian at one place: no slope, no leak
def leaks(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x).flatten(5).abs().amax(-1)
    slopes = slopes.flatten(1, 3).amax(1)
    pairs = [[v, n] for v in range(len(x)) for n in range(len(x))]
    return [[v, n] for v, n in pairs if v != n and slopes[v, n] > 0]
