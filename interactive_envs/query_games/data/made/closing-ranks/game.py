def states(level):
    n = level["n"]
    k = level["k"]
    found = []

    def build(x, groups):
        if len(groups) > k or len(groups) + (n - x + 1) < k:
            return
        if x > n:
            found.append([list(g) for g in groups])
            return
        for i in range(len(groups)):
            build(x + 1, groups[:i] + [groups[i] + [x]] + groups[i + 1:])
        build(x + 1, groups + [[x]])

    build(1, [])
    return found


def arguments(query, level):
    n = level["n"]
    if query == "close":
        return [[a, b] for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    return [[a] for a in range(1, level["m"] + 1)]


def leaders(state):
    table = {}
    for group in state:
        for x in group:
            table[x] = min(group)
    return table


def reply(query, argument, state, level):
    n = level["n"]
    table = leaders(state)
    if query == "close":
        a, b = argument
        row = list(range(1, a + 1)) + list(range(b, n + 1))
        at = row.index(a)
        low = at
        while low > 0 and table[row[low - 1]] == table[a]:
            low -= 1
        high = at
        while high < len(row) - 1 and table[row[high + 1]] == table[a]:
            high += 1
        return high - low + 1
    seen = set()
    count = 0
    for x in range(argument[0], n + 1):
        if table[x] in seen:
            break
        seen.add(table[x])
        count += 1
    return count


def answer(state, level):
    table = leaders(state)
    return [table[x] for x in range(1, level["n"] + 1)]


def show(state, level):
    return "the groups are " + "; ".join(", ".join(str(x) for x in g) for g in state)


def weight(state, level):
    product = 1
    for group in state:
        product *= len(group)
    return product
