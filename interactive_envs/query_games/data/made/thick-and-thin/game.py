from itertools import combinations, product


def states(level):
    n, b = level["n"], level["b"]
    out = []
    for spots in combinations(range(n), b):
        for books in product([1, 2], repeat=b):
            shelf = [0] * n
            for spot, book in zip(spots, books):
                shelf[spot] = book
            out.append(shelf)
    return out


def arguments(query, level):
    n, b = level["n"], level["b"]
    if query == "gauge":
        return [[x, y] for x in range(1, n + 1) for y in range(1, n + 1)]
    return [[x] for x in range(1, b + 1)]


def reply(query, argument, state, level):
    if query == "gauge":
        x, y = argument
        nearest = min(abs(i + 1 - y) for i, v in enumerate(state) if v == 0)
        return sum(state[:x]) + nearest
    books = [v for v in state if v != 0]
    return books[argument[0] - 1]


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)
