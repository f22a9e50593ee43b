def states(level):
    n = level["n"]
    out = []

    def fill(current):
        if 0 not in current:
            out.append(list(current))
            return
        i = current.index(0)
        alone = list(current)
        alone[i] = i + 1
        fill(alone)
        for j in range(i + 1, n):
            if current[j] == 0:
                paired = list(current)
                paired[i] = j + 1
                paired[j] = i + 1
                fill(paired)

    fill([0] * n)
    return out


def arguments(query, level):
    n = level["n"]
    if query == "cross":
        return [[p] for p in range(1, n + 1)]
    return [[a, b] for a in range(1, n + 1) for b in range(a + 1, n + 1)]


def reply(query, argument, state, level):
    n = level["n"]
    if query == "ties":
        a, b = argument
        return sum(1 for i in range(1, a + 1) if state[i - 1] >= b)
    if query == "tilt":
        a, b = argument
        left = sum(state[:a])
        right = sum(state[b - 1:])
        if left < right:
            return 0
        if left == right:
            return 1
        return 2
    p = argument[0]
    q = state[p - 1]
    if p == q:
        return 0
    low, high = min(p, q), max(p, q)
    count = 0
    for i in range(1, n + 1):
        j = state[i - 1]
        if i < j and (low < i < high) != (low < j < high):
            count += 1
    return count


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)
