LETTERS = "ABCDEFGHIJKLMNOP"


def dancers(level):
    n = level["n"]
    return [LETTERS[i] for i in range(n) if 3 * i + 1 >= n]


def branch(letter, level):
    n = level["n"]
    todo = [LETTERS.index(letter)]
    found = []
    while todo:
        i = todo.pop()
        found.append(LETTERS[i])
        for j in (3 * i + 1, 3 * i + 2, 3 * i + 3):
            if j < n:
                todo.append(j)
    return set(found)


def pairings(people):
    if not people:
        return [{}]
    first = people[0]
    rest = people[1:]
    found = []
    for smaller in pairings(rest):
        whole = dict(smaller)
        whole[first] = first
        found.append(whole)
    for other in rest:
        left = [p for p in rest if p != other]
        for smaller in pairings(left):
            whole = dict(smaller)
            whole[first] = other
            whole[other] = first
            found.append(whole)
    return found


def states(level):
    people = dancers(level)
    return [[pairing[p] for p in people] for pairing in pairings(people)]


def arguments(query, level):
    n = level["n"]
    found = []
    for i in range(n):
        for j in range(i + 1, n):
            a = LETTERS[i]
            b = LETTERS[j]
            if query == "ties" and (b in branch(a, level) or a in branch(b, level)):
                continue
            found.append([a, b])
    return found


def reply(query, argument, state, level):
    people = dancers(level)
    partner = dict(zip(people, state))
    first = [p for p in people if p in branch(argument[0], level)]
    second = [p for p in people if p in branch(argument[1], level)]
    if query == "ties":
        return sum(1 for p in first if partner[p] != p and partner[p] in second)
    a = sum(1 for p in first if partner[p] == p)
    b = sum(1 for p in second if partner[p] == p)
    if a < b:
        return 0
    if a == b:
        return 1
    return 2


def answer(state, level):
    return list(state)


def show(state, level):
    people = dancers(level)
    pairs = [p + " with " + q for p, q in zip(people, state) if p < q]
    alone = [p for p, q in zip(people, state) if p == q]
    text = "the pairs are " + (", ".join(pairs) if pairs else "none")
    return text + "; without a partner: " + (", ".join(alone) if alone else "nobody")
