def run(trace, x):
    older = 5
    newer = 15
    for item in x:
        if min(older, newer) <= item <= max(older, newer):
            w = older + newer
        else:
            w = item
        trace(1, w=w)
        older = newer
        newer = item
