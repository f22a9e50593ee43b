def run(trace, x):
    older = 5
    newer = 15
    for number in x:
        if min(older, newer) <= number <= max(older, newer):
            w = older + newer
        else:
            w = number
        trace(1, w=w)
        older = newer
        newer = number
