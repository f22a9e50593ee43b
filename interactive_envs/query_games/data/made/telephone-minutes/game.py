from itertools import product

LETTERS = "ABCDEFGHIJKLMNOP"
_cache = {}


def states(level):
    n = level["n"]
    w = level["w"]
    choices = [range(max(0, i - w), i) for i in range(1, n)]
    return [[LETTERS[i] for i in above] for above in product(*choices)]


def arguments(query, level):
    n = level["n"]
    if query == "finish":
        return [[LETTERS[i]] for i in range(n)]
    return [[LETTERS[i], LETTERS[j]] for i in range(n) for j in range(n) if i != j]


def minutes(start, state):
    key = (start, "".join(state))
    if key in _cache:
        return _cache[key]
    n = len(state) + 1
    near = {LETTERS[i]: [] for i in range(n)}
    for i, above in enumerate(state):
        near[LETTERS[i + 1]].append(above)
        near[above].append(LETTERS[i + 1])
    times = {}
    todo = [(start, None, 0)]
    while todo:
        here, caller, minute = todo.pop()
        times[here] = minute
        turn = 0
        for other in sorted(near[here]):
            if other != caller:
                turn += 1
                todo.append((other, here, minute + turn))
    _cache[key] = times
    return times


def reply(query, argument, state, level):
    times = minutes(argument[0], state)
    if query == "finish":
        return max(times.values())
    return times[argument[1]]


def answer(state, level):
    return list(state)


def show(state, level):
    return "the contacts are " + ", ".join(above + "-" + LETTERS[i + 1] for i, above in enumerate(state))
