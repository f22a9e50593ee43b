def run(trace, x):
    queue = list(x)
    from_back = True
    while queue:
        if from_back:
            g = queue.pop()
        else:
            g = queue.pop(0)
        trace(1, g=g)
        from_back = (g % 2 == 0)
