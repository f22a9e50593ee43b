def matchings(numbers, k):
    if k == 0:
        return [[]]
    if len(numbers) < 2 * k:
        return []
    first = numbers[0]
    rest = numbers[1:]
    found = []
    for i, other in enumerate(rest):
        for more in matchings(rest[:i] + rest[i + 1:], k - 1):
            found.append([[first, other]] + more)
    found.extend(matchings(rest, k))
    return found


def states(level):
    return matchings(list(range(1, level["n"] + 1)), level["k"])


def arguments(query, level):
    n = level["n"]
    if query == "reach":
        return [[a, b] for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    return [[a] for a in range(1, n + 1)]


def partners(state):
    table = {}
    for a, b in state:
        table[a] = b
        table[b] = a
    return table


def reply(query, argument, state, level):
    n = level["n"]
    table = partners(state)
    if query == "reach":
        a, b = argument
        for p in range(b, n + 1):
            if p in table and table[p] <= a:
                return p
        return None
    for p in range(argument[0], n + 1):
        if p not in table:
            return p
    return None


def answer(state, level):
    return sum(a * b for a, b in state)


def show(state, level):
    return "the couples are " + ", ".join("%d with %d" % (a, b) for a, b in state)
