from itertools import combinations


def states(level):
    n, k = level["n"], level["k"]
    out = []
    for cuts in combinations(range(1, n), k - 1):
        ends = [0] + list(cuts) + [n]
        out.append([ends[i + 1] - ends[i] for i in range(k)])
    return out


def arguments(query, level):
    n = level["n"]
    if query == "blend":
        return [[a, b] for a in range(1, n + 1) for b in range(1, n + 1)]
    return [[d] for d in range(1, n)]


def part_of(cell, state):
    end = 0
    for index, length in enumerate(state):
        end += length
        if cell <= end:
            return index
    return len(state) - 1


def reply(query, argument, state, level):
    if query == "blend":
        a, b = argument
        return state[part_of(a, state)] + part_of(b, state) + 1
    d = argument[0]
    count = 0
    for i in range(len(state)):
        total = 0
        for j in range(i, len(state)):
            total += state[j]
            if total == d:
                count += 1
    return count


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)
