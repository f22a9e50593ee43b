def states(level):
    n, k = level["n"], level["k"]
    out = [[1]]
    for _ in range(n - 1):
        longer = []
        for s in out:
            for v in range(1, min(max(s) + 1, k) + 1):
                longer.append(s + [v])
        out = longer
    return out


def arguments(query, level):
    n = level["n"]
    if query == "arc":
        return [[a, b] for a in range(1, n + 1) for b in range(1, n + 1) if a != b]
    return [[a, t] for a in range(1, n + 1) for t in range(1, n + 1)]


def reply(query, argument, state, level):
    n = level["n"]
    if query == "arc":
        a, b = argument
        club = state[a - 1]
        count = 1
        x = a
        while x != b:
            x = x % n + 1
            if state[x - 1] == club:
                count += 1
        return count
    a, t = argument
    club = state[a - 1]
    x = a
    passes = 0
    for _ in range(t):
        while True:
            if x == n:
                x = 1
                passes += 1
            else:
                x += 1
            if state[x - 1] == club:
                break
    return passes


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)


def weight(state, level):
    return list(state).count(state[0])
