MELT = {"ab": "c", "bc": "a", "ca": "b"}


def run(trace, w, n):
    text = w
    done = 0
    while done < n:
        places = [i for i in range(len(text) - 1) if text[i] != text[i + 1]]
        if not places:
            break
        if done % 2 == 0:
            i = places[0]
        else:
            i = places[-1]
        pair = text[i:i + 2]
        text = text[:i] + MELT.get(pair, pair[0] * 2) + text[i + 2:]
        done += 1
        trace(1, p=text)
    trace(2, e=done * len(text))
