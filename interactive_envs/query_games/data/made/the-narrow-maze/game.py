from itertools import combinations

LETTERS = "ABCDEFGHIJKLMNOP"
_tables = {}


def sides(level):
    k = level["k"]
    found = []
    for c in range(k):
        found.append((2 * c, 2 * c + 1))
        if c + 1 < k:
            found.append((2 * c, 2 * c + 2))
            found.append((2 * c + 1, 2 * c + 3))
    return found


def name(edge):
    return LETTERS[edge[0]] + "-" + LETTERS[edge[1]]


def states(level):
    n = level["n"]
    found = []
    for chosen in combinations(sides(level), n - 1):
        up = list(range(n))
        good = True
        for a, b in chosen:
            while up[a] != a:
                a = up[a]
            while up[b] != b:
                b = up[b]
            if a == b:
                good = False
                break
            up[a] = b
        if good:
            found.append([name(edge) for edge in chosen])
    return found


def table(state, level):
    key = " ".join(state)
    if key in _tables:
        return _tables[key]
    n = level["n"]
    near = [[] for _ in range(n)]
    for edge in state:
        a = LETTERS.index(edge[0])
        b = LETTERS.index(edge[2])
        near[a].append(b)
        near[b].append(a)
    result = {}
    for start in range(n):
        stack = [(start, -1, 0, 0, 0, 0)]
        while stack:
            cell, came, direction, run, best, turns = stack.pop()
            result[(start, cell)] = (best, turns)
            for other in near[cell]:
                if other == came:
                    continue
                step = other - cell
                if step == direction:
                    new_run = run + 1
                    new_turns = turns
                else:
                    new_run = 1
                    new_turns = turns + (1 if direction != 0 else 0)
                stack.append((other, cell, step, new_run, max(best, new_run), new_turns))
    _tables[key] = result
    return result


def arguments(query, level):
    n = level["n"]
    return [[LETTERS[i], LETTERS[j]] for i in range(n) for j in range(i + 1, n)]


def reply(query, argument, state, level):
    pair = (LETTERS.index(argument[0]), LETTERS.index(argument[1]))
    best, turns = table(state, level)[pair]
    if query == "straight":
        return best
    return turns


def answer(state, level):
    doors = set(state)
    return [name(edge) for edge in sides(level) if name(edge) not in doors]


def show(state, level):
    return "the doors are " + ", ".join(state)
