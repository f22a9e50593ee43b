def run(trace, x):
    queue = list(x)
    back = True
    while queue:
        if back:
            g = queue.pop()
        else:
            g = queue.pop(0)
        trace(1, g=g)
        back = g % 2 == 0
