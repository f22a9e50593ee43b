RULES = {
    "ab": "c",
    "bc": "a",
    "ca": "b",
    "ba": "bb",
    "cb": "cc",
    "ac": "aa",
}


def run(trace, w, n):
    text = w
    steps = 0
    while steps < n:
        places = [i for i in range(len(text) - 1) if text[i] != text[i + 1]]
        if not places:
            break
        steps += 1
        if steps % 2 == 1:
            i = places[0]
        else:
            i = places[-1]
        text = text[:i] + RULES[text[i:i + 2]] + text[i + 2:]
        trace(1, p=text)
    trace(2, e=steps * len(text))
