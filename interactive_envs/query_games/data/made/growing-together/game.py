from itertools import combinations

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    result = []

    def extend(names, history):
        if len(history) == level["d"]:
            result.append([list(pair) for pair in history])
            return
        for a, b in combinations(names, 2):
            extend([x for x in names if x != b], history + [[a, b]])

    extend(list(LETTERS[:level["n"]]), [])
    return result


def arguments(query, level):
    names = list(LETTERS[:level["n"]])
    if query == "meet":
        return [list(pair) for pair in combinations(names, 2)]
    return [[x] for x in names]


def groups_by_day(state, level):
    # for the start and then for the end of each day
    # the dictionary from every node to the name of its group
    name = {x: x for x in LETTERS[:level["n"]]}
    result = [name]
    for a, b in state:
        name = {x: (a if name[x] == b else name[x]) for x in name}
        result.append(name)
    return result


def reply(query, argument, state, level):
    moments = groups_by_day(state, level)
    u = argument[0]
    for day in range(1, len(state) + 1):
        before = moments[day - 1]
        after = moments[day]
        if query == "meet":
            holds = after[u] == after[argument[1]]
        elif query == "crowd":
            holds = sum(1 for x in after if after[x] == after[u]) >= 3
        else:
            holds = before[u] in state[day - 1]
        if holds:
            return day
    return None


def answer(state, level):
    return [x for pair in state for x in pair]


def show(state, level):
    name = {x: x for x in LETTERS[:level["n"]]}
    texts = []
    for i, (a, b) in enumerate(state):
        left = ", ".join(x for x in name if name[x] == a)
        right = ", ".join(x for x in name if name[x] == b)
        texts.append("on day " + str(i + 1) + " the group (" + left
                     + ") and the group (" + right + ") become one")
        name = {x: (a if name[x] == b else name[x]) for x in name}
    return "; ".join(texts)
