from itertools import combinations

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    n = level["n"]
    k = level["k"]
    m = level["m"]
    result = []

    def extend(labels, used):
        if len(labels) == n:
            if used == k:
                result.append(list(labels))
            return
        for x in range(1, min(used + 1, k) + 1):
            if labels.count(x) < m:
                extend(labels + [x], max(used, x))

    extend([], 0)
    return result


def arguments(query, level):
    names = list(LETTERS[:level["n"]])
    if query == "fare":
        return [list(pair) for pair in combinations(names, 2)]
    return [[x] for x in names]


def costs(state, start):
    # coins needed from the zone `start` to every zone
    cost = {start: 0}
    queue = [start]
    while queue:
        zone = queue.pop(0)
        for i in range(len(state) - 1):
            a = state[i]
            b = state[i + 1]
            for x, y in ((a, b), (b, a)):
                if x == zone and y not in cost:
                    cost[y] = cost[zone] + 1
                    queue.append(y)
    return cost


def reply(query, argument, state, level):
    i = LETTERS.index(argument[0])
    cost = costs(state, state[i])
    if query == "fare":
        return cost[state[LETTERS.index(argument[1])]]
    return sum(1 for j, zone in enumerate(state) if j != i and cost[zone] <= 1)


def answer(state, level):
    return list(state)


def show(state, level):
    groups = []
    for zone in range(1, max(state) + 1):
        groups.append("{" + ", ".join(LETTERS[i] for i, z in enumerate(state) if z == zone) + "}")
    return "the parts are " + ", ".join(groups)
